import { z } from 'zod'
import { defineWrite } from '../../use-case.ts'
import { mailCode } from '../mail/mail-code.ts'
import { requireMailer } from '../mail/require-mailer.ts'
import { passwordSchema } from '../passwords/password.ts'
import { proveOwnPassword } from '../passwords/prove-password.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { ownEmailSchema } from '../users/email.ts'

/** Mails a code to the address that the caller wants to have, given their password. */
export const sendChangeEmailCode = defineWrite({
  summary: 'Send a code to my new e-mail address',
  input: z.object({ email: ownEmailSchema, password: passwordSchema }),
  output: z.object({ token: z.string(), expiresTime: z.string() }),
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true }),
  needs: ['passwords', 'secrets', 'mail'],
  prepare: async (context, { email, password }) => {
    // Who isn't signed in is told nothing of how mail is set up.
    const { id: userId } = await proveOwnPassword(context, password)
    const mailer = requireMailer(context.mail)
    return mailCode(context, mailer, { email, purpose: { kind: 'change-email', userId } })
  },
  run: async ({ tx, prepared }) => {
    await tx.addressCodes.insert(prepared.code)
    return prepared.answer
  },
})

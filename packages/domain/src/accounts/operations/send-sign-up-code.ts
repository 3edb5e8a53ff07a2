import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { mailCode } from '../mail/mail-code.ts'
import { admitSignUp } from '../sign-up/admit-sign-up.ts'
import { emailSchema } from '../users/email.ts'

/** Mails a code that signs its receiver up, together with the token that is answered. */
export const sendSignUpCode = defineWrite({
  summary: 'Send a sign-up code',
  input: z.object({
    email: emailSchema,
    turnstileToken: textUpTo(limits.shortTextLength).optional(),
  }),
  output: z.object({ token: z.string(), expiresTime: z.string() }),
  answers: 'secret',
  access: anyone(),
  needs: ['secrets', 'signUpPolicy'],
  prepare: async (context, { email, turnstileToken }) => {
    const { codeMailer } = context.signUpPolicy
    if (!codeMailer) {
      throw new DomainError(
        'restricted_resource',
        'This instance asks for no sign-up code: sign up without one',
      )
    }
    await admitSignUp(context, turnstileToken)
    return mailCode(context, codeMailer, { email, purpose: { kind: 'sign-up' } })
  },
  run: async ({ tx, prepared }) => {
    await tx.addressCodes.insert(prepared.code)
    return prepared.answer
  },
})

import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { reserveMail } from '../attempts/try-limits.ts'
import { sendUnawaited } from '../mail/mail-settings.ts'
import { requireMailer } from '../mail/require-mailer.ts'
import { toResetCode, toResetMail } from '../passwords/password-reset.ts'
import { emailSchema } from '../users/email.ts'
import { hasAddress } from '../users/no-address.ts'

/**
 * Mails a code for a new password. Neither the answer nor the time it takes says whether the address has an account:
 * the mail is not waited for.
 */
export const sendPasswordReset = defineWrite({
  summary: 'Send a mail for a new password',
  input: z.object({ email: emailSchema }),
  output: noOutput,
  access: anyone(),
  needs: ['secrets', 'mail'],
  prepare: async (context, { email }) => {
    requireMailer(context.mail)
    const { store, secrets, mail, now } = context
    await store.write((tx) => reserveMail({ ...context, tx, email }))
    const user = await store.read((tx) => tx.users.findByEmail(email))
    // Of others an embedding program says who they are: a password would be a way in that it knows nothing of.
    if (!user || !hasAddress(user) || (user.passwordHash === undefined && !user.signsIn)) return
    sendUnawaited(mail, toResetMail(email, toResetCode(secrets, user, now), mail.publicUrl))
  },
  run: async () => {},
})

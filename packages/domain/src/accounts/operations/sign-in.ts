import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { defineWrite } from '../../use-case.ts'
import { forgiveGuess } from '../attempts/try-limits.ts'
import { passwordSchema } from '../passwords/password.ts'
import { provePassword, requireStillProven } from '../passwords/prove-password.ts'
import { openSession } from '../sessions/open-session.ts'
import { emailSchema } from '../users/email.ts'
import { signedInUserOutput, toUserOutput } from '../users/user-output.ts'

/** Opens a session for whoever knows the password of the account. */
export const signIn = defineWrite({
  summary: 'Sign in',
  input: z.object({ email: emailSchema, password: passwordSchema }),
  output: signedInUserOutput,
  answers: 'secret',
  access: anyone(),
  needs: ['passwords', 'secrets'],
  prepare: (context, input) => provePassword(context, input),
  run: async (context, { email }) => {
    const user = await context.tx.users.find(context.prepared.id, 'share')
    requireStillProven(user, context.prepared)
    await forgiveGuess({ ...context, email })
    const accessToken = await openSession(context, user.id)
    return { ...toUserOutput(context, user), accessToken }
  },
})

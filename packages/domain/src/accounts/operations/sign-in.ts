import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { defineWrite } from '../../use-case.ts'
import { emailSchema } from '../email.ts'
import { openSession } from '../open-session.ts'
import { passwordSchema } from '../password.ts'
import { provePassword, requireStillProven } from '../prove-password.ts'
import { forgiveGuess } from '../try-limits.ts'
import { signedInUserOutput, toUserOutput } from '../user-output.ts'

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

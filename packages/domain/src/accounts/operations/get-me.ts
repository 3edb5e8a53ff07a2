import { z } from 'zod'
import { hasScope } from '../../access/actor.ts'
import { defineRead } from '../../use-case.ts'
import { onOwnAccount } from '../account-guard.ts'
import { toUserOutput, userOutput } from '../user-output.ts'

/** Answers the caller's own account; a token without the scope for it is not told the address. */
export const getMe = defineRead({
  summary: 'Get my account',
  input: z.object({}),
  output: userOutput.partial({ email: true }).meta({ id: 'User' }),
  access: onOwnAccount({ sessionOnly: false }),
  run: async (context) => {
    const { email, ...view } = toUserOutput(context, context.user)
    return { ...view, ...(hasScope(context.actor, 'user|email_read') && { email }) }
  },
})

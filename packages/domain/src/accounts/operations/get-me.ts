import { z } from 'zod'
import { defineRead } from '../../use-case.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { shownAddress } from '../users/shown-contact.ts'
import { toUserOutput, userOutput } from '../users/user-output.ts'

/** Answers the caller's own account; a token without the scope for it is not told the address, nor anybody who has none. */
export const getMe = defineRead({
  summary: 'Get my account',
  input: z.object({}),
  output: userOutput.partial({ email: true }).meta({ id: 'User' }),
  access: onOwnAccount({ sessionOnly: false }),
  run: async (context) => {
    const { email: _, ...view } = toUserOutput(context, context.user)
    return { ...view, ...shownAddress(context, context.user) }
  },
})

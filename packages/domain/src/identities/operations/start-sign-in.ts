import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { limits } from '../../limits.ts'
import { defineRead, LateRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { beginFlow, begunOutput, findForSignIn, flowInput } from './begin-flow.ts'

/** Begins a sign-in by a login provider: the browser goes there, and comes back to `finishSignIn`. */
export const startSignIn = defineRead({
  summary: 'Begin to sign in by a login provider',
  input: z.object({
    ...flowInput,
    inviteCode: textUpTo(limits.idLength)
      .optional()
      .describe('An invitation code, where a new account takes one'),
  }),
  output: begunOutput,
  access: anyone(),
  needs: ['secrets', 'settings', 'openIdClient'],
  run: async (context, { providerId, redirect, inviteCode }) => {
    const provider = await findForSignIn(context.tx, providerId)
    return new LateRead(() => beginFlow(context, provider, { redirect, inviteCode }))
  },
})

import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import { accessTokenOutput, toAccessTokenOutput } from '../access-token.ts'
import { withoutDeleted } from '../without-deleted.ts'

/** Lists the caller's access tokens, oldest first. */
export const listTokens = defineRead({
  summary: 'List my access tokens',
  input: z.object({}),
  output: z.array(accessTokenOutput),
  access: signedIn({ sessionOnly: true }),
  run: async ({ tx, userId }) => {
    const tokens = await withoutDeleted(tx, await tx.accessTokens.listOf(userId))
    return tokens.map((token) => {
      const { version, ...view } = toAccessTokenOutput(token)
      return view
    })
  },
})

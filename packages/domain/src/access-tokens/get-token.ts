import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { defineRead } from '../use-case.ts'
import { accessTokenView, toAccessTokenView, withoutDeleted } from './access-token.ts'
import { onOwnToken } from './access-token-guard.ts'

/** Answers one of the caller's access tokens, without its secret. */
export const getToken = defineRead({
  summary: 'Get an access token',
  input: z.object({ id: idSchema }),
  output: accessTokenView,
  access: onOwnToken(),
  run: async ({ tx, token }) => {
    const [shown = token] = await withoutDeleted(tx, [token])
    return toAccessTokenView(shown)
  },
})

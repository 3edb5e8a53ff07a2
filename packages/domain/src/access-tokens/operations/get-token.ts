import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { accessTokenOutput, toAccessTokenOutput } from '../access-token.ts'
import { onOwnToken } from '../access-token-guard.ts'
import { withoutDeleted } from '../without-deleted.ts'

/** Answers one of the caller's access tokens, without its secret. */
export const getToken = defineRead({
  summary: 'Get an access token',
  input: z.object({ id: idSchema }),
  output: accessTokenOutput,
  access: onOwnToken(),
  run: async ({ tx, token }) => {
    const [shown = token] = await withoutDeleted(tx, [token])
    return toAccessTokenOutput(shown)
  },
})

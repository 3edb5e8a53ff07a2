import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnToken } from '../access-token-guard.ts'

/** Revokes an access token, at once and everywhere. */
export const deleteToken = defineWrite({
  summary: 'Delete an access token',
  input: z.object({ id: idSchema }),
  output: noOutput,
  access: onOwnToken('update'),
  run: ({ tx, token }) => tx.accessTokens.delete(token.id),
})

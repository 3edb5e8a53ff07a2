import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { onOwnToken } from '../access-token-guard.ts'
import { expiredTimeSchema, requireFuture } from '../token-input.ts'
import { toTokenText } from '../token-text.ts'

/** Gives an access token a new secret and a new end. The old text is good for nothing any more. */
export const refreshToken = defineWrite({
  summary: 'Refresh an access token',
  input: z.object({ id: idSchema, expiredTime: expiredTimeSchema }),
  output: z.object({ id: z.string(), expiredTime: z.string(), token: z.string() }),
  answers: 'secret',
  access: onOwnToken('update'),
  needs: ['secrets'],
  run: async ({ tx, now, secrets, token }, { id, expiredTime }) => {
    requireFuture(expiredTime, now)
    const text = toTokenText(id, secrets.token())
    const version = token.version + 1
    await tx.accessTokens.update({
      ...token,
      tokenHash: secrets.digest(text),
      expiresTime: expiredTime,
      version,
    })
    return { id, expiredTime, token: text, version }
  },
})

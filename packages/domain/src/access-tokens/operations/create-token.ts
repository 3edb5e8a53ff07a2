import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { type AccessToken, accessTokenOutput, toAccessTokenOutput } from '../access-token.ts'
import {
  expiredTimeSchema,
  requireFuture,
  tokenSettingsSchema,
  toTokenSettings,
} from '../token-input.ts'
import { toTokenText } from '../token-text.ts'

/** Makes an access token, whose text is shown in this answer alone. */
export const createToken = defineWrite({
  summary: 'Create an access token',
  input: tokenSettingsSchema.extend({ expiredTime: expiredTimeSchema }),
  output: accessTokenOutput.extend({ token: z.string() }),
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async ({ tx, userId, now, ids, secrets }, { expiredTime, ...settings }) => {
    requireFuture(expiredTime, now)
    const { length } = await tx.accessTokens.listOf(userId)
    if (length >= limits.accessTokensPerUser) {
      throw new DomainError(
        'restricted_resource',
        `You have ${length} access tokens, which is the maximum: delete one first`,
      )
    }
    const id = ids.next('accessToken')
    const text = toTokenText(id, secrets.token())
    const token: AccessToken = {
      id,
      userId,
      ...(await toTokenSettings(tx, userId, settings)),
      tokenHash: secrets.digest(text),
      expiresTime: expiredTime,
      createdTime: now,
      lastUsedTime: undefined,
      version: 1,
    }
    await tx.accessTokens.insert(token)
    return { ...toAccessTokenOutput(token), token: text }
  },
})

import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { accessTokenSettings, toAccessTokenSettings } from '../access-token.ts'
import { onOwnToken } from '../access-token-guard.ts'
import { tokenSettingsSchema, toTokenSettings } from '../token-input.ts'

/** Replaces the settings of an access token. What is left out is unset; secret and end stay. */
export const updateToken = defineWrite({
  summary: 'Update an access token',
  input: tokenSettingsSchema.extend({ id: idSchema }),
  output: accessTokenSettings,
  access: onOwnToken('update'),
  run: async ({ tx, userId, token }, settings) => {
    const updated = {
      ...token,
      ...(await toTokenSettings(tx, userId, settings)),
      version: token.version + 1,
    }
    await tx.accessTokens.update(updated)
    return toAccessTokenSettings(updated)
  },
})

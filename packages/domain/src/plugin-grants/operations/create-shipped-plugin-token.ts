import { z } from 'zod'
import { toTokenText } from '../../access-tokens/token-text.ts'
import { onOwnAccount } from '../../accounts/account-guard.ts'
import { later } from '../../clock.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { scopesOfShipped, shippedPlugins } from '../../plugins/shipped-plugins.ts'
import { defineWrite } from '../../use-case.ts'
import { addGrant } from '../add-grant.ts'

/** Gives the page of a plugin that ships with the product a token to act in a base in the caller's name. */
export const createShippedPluginToken = defineWrite({
  summary: 'Let a plugin that ships with the product act in a base on my behalf',
  input: z.object({ pluginId: idSchema, baseId: idSchema }),
  output: z.object({
    accessToken: z.string().describe('Shown this once'),
    scopes: z.array(z.string()).describe('The actions that the access token may be used for'),
    expiresIn: z.int().describe('Seconds for which the access token is good'),
  }),
  answers: 'secret',
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async (context, { pluginId, baseId }) => {
    const { now, ids, secrets } = context
    const plugin = shippedPlugins.get(pluginId)
    const scopes = scopesOfShipped.get(pluginId)
    if (!plugin || !scopes) throw notFound('shipped plugin', pluginId)
    const id = ids.next('pluginGrant')
    const accessToken = toTokenText(id, secrets.token())
    const expiresIn = limits.pluginTokenMinutes * 60
    const expiresTime = later(now, expiresIn * 1_000)
    await addGrant(context, plugin, baseId, {
      ...{ id, scopes, accessHash: secrets.digest(accessToken) },
      // Nothing is traded: the page asks for another token, as long as somebody is signed in there.
      tradeHash: secrets.digest(secrets.token()),
      ...{ accessExpiresTime: expiresTime, expiresTime },
    })
    return { accessToken, scopes: [...scopes], expiresIn }
  },
})

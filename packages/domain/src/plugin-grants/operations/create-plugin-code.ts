import { z } from 'zod'
import { onOwnAccount } from '../../accounts/users/account-guard.ts'
import { later } from '../../clock.ts'
import { DomainError, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { findPlugin, mayUse } from '../../plugins/find-plugin.ts'
import { shippedPlugins } from '../../plugins/shipped-plugins.ts'
import { defineWrite } from '../../use-case.ts'
import { toTradeText } from '../trade-input.ts'

/** Gives a code by which a plugin gets tokens, to act in a base in the caller's name. It is shown in this answer alone. */
export const createPluginCode = defineWrite({
  summary: 'Let a plugin act in a base on my behalf',
  input: z.object({ pluginId: idSchema, baseId: idSchema }),
  output: z.object({ code: z.string().describe('Shown this once') }),
  answers: 'secret',
  // By an access token it would give more than the token may. Held are the grants of the account: the oldest makes room.
  access: onOwnAccount({ sessionOnly: true, lock: 'update' }),
  needs: ['secrets'],
  run: async ({ tx, userId, now, ids, secrets }, { pluginId, baseId }) => {
    const plugin = await findPlugin(tx, pluginId)
    if (!plugin || !mayUse(plugin, userId)) throw notFound('plugin', pluginId)
    if (shippedPlugins.has(pluginId)) {
      throw new DomainError(
        'restricted_resource',
        `The plugin "${pluginId}" ships with the product and has no secret: its pages get page tokens, and no codes`,
      )
    }
    const access = await tx.access.findBase(baseId, userId, 'none')
    if (access?.role === undefined) throw notFound('base', baseId)
    const id = ids.next('pluginGrant')
    const code = toTradeText(secrets, id)
    await tx.pluginGrants.deleteOldest({ userId }, limits.pluginGrantsPerUser - 1)
    await tx.pluginGrants.deleteOldest({ userId, pluginId, baseId }, limits.pluginGrantsPerBase - 1)
    await tx.pluginGrants.insert({
      ...{ id, pluginId, userId, baseId, scopes: [], tradeHash: secrets.digest(code) },
      ...{ accessHash: undefined, accessExpiresTime: undefined, secretHash: plugin.secretHash },
      ...{ withdrawnVersion: plugin.withdrawnVersion, lastUsedTime: undefined },
      ...{ createdTime: now, expiresTime: later(now, limits.pluginCodeMinutes * 60_000) },
    })
    return { code }
  },
})

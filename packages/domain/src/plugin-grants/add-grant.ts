import type { CallerScope } from '../access/guard.ts'
import { notFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { mayUse } from '../plugins/find-plugin.ts'
import type { Plugin } from '../plugins/plugin.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** What a new grant says beside whose, what and where it is. */
type NewGrant = Pick<
  PluginGrant,
  'id' | 'scopes' | 'tradeHash' | 'accessHash' | 'accessExpiresTime' | 'expiresTime'
>

/**
 * Lets the plugin act in a base in the name of the caller, whose account is held: their oldest grants make room. To who may not
 * use the plugin it is not there, nor is the base to who has no role in it: `resource_not_found`.
 */
export async function addGrant(
  { tx, userId, now }: CallContext & CallerScope & { readonly tx: WriteTx },
  plugin: Plugin,
  baseId: string,
  grant: NewGrant,
): Promise<void> {
  const { id: pluginId, secretHash, withdrawnVersion } = plugin
  if (!mayUse(plugin, userId)) throw notFound('plugin', pluginId)
  const access = await tx.access.findBase(baseId, userId, 'none')
  if (access?.role === undefined) throw notFound('base', baseId)
  await tx.pluginGrants.deleteOldest({ userId }, limits.pluginGrantsPerUser - 1)
  await tx.pluginGrants.deleteOldest({ userId, pluginId, baseId }, limits.pluginGrantsPerBase - 1)
  await tx.pluginGrants.insert({
    ...{ ...grant, pluginId, userId, baseId, secretHash, withdrawnVersion },
    ...{ lastUsedTime: undefined, createdTime: now },
  })
}

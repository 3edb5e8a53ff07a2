import type { TokenActor } from '../access/actor.ts'
import { isInLife } from '../accounts/sessions/is-in-life.ts'
import type { Timestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import { findPlugin, mayUse } from '../plugins/find-plugin.ts'
import type { Plugin } from '../plugins/plugin.ts'
import type { ReadTx } from '../store.ts'
import type { PluginGrant } from './plugin-grant.ts'

/**
 * Whether the plugin of the grant, if it is there, has the secret that it had, and is one that the user may use: their own, or
 * one that was published all the time. What ended once is never alive again.
 */
export function isAlive(
  plugin: Plugin | undefined,
  { userId, secretHash, withdrawnVersion }: PluginGrant,
): boolean {
  if (plugin === undefined || plugin.secretHash !== secretHash) return false
  if (plugin.createdBy === userId) return true
  return mayUse(plugin, userId) && plugin.withdrawnVersion === withdrawnVersion
}

/** Who acts by way of the access token of the grant; undefined where that has ended. */
export async function findGrantActor(
  tx: Pick<ReadTx, 'plugins'>,
  grant: PluginGrant,
  now: Timestamp,
): Promise<TokenActor | undefined> {
  const { id: tokenId, userId, baseId, scopes, accessExpiresTime } = grant
  const lifeMs = limits.pluginTokenMinutes * 60_000
  if (accessExpiresTime === undefined || !isInLife(accessExpiresTime, lifeMs, now)) return undefined
  if (!isAlive(await findPlugin(tx, grant.pluginId), grant)) return undefined
  const reach = { spaceIds: new Set<string>(), baseIds: new Set([baseId]) }
  return { kind: 'token', userId, tokenId, scopes: new Set(scopes), reach }
}

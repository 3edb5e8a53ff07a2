import type { TokenActor } from '../access/actor.ts'
import type { Timestamp } from '../clock.ts'
import { findPlugin, mayUse } from '../plugins/find-plugin.ts'
import type { ReadTx } from '../store.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** Whether the plugin is as it was, and one that the user of the grant may use. */
export async function isAlive(
  tx: Pick<ReadTx, 'plugins'>,
  { pluginId, userId, secretHash }: PluginGrant,
): Promise<boolean> {
  const plugin = await findPlugin(tx, pluginId)
  return plugin !== undefined && plugin.secretHash === secretHash && mayUse(plugin, userId)
}

/** Who acts by way of the access token of the grant; undefined where that has ended. */
export async function findGrantActor(
  tx: Pick<ReadTx, 'plugins'>,
  grant: PluginGrant,
  now: Timestamp,
): Promise<TokenActor | undefined> {
  const { id: tokenId, userId, baseId, scopes, accessExpiresTime } = grant
  if (accessExpiresTime === undefined || accessExpiresTime <= now) return undefined
  if (!(await isAlive(tx, grant))) return undefined
  const reach = { spaceIds: new Set<string>(), baseIds: new Set([baseId]) }
  return { kind: 'token', userId, tokenId, scopes: new Set(scopes), reach }
}

import type { PluginGrant } from '@gateleg/domain/plugin-grants/plugin-grant'
import { json, optional } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `plugin_grants`. */
export const pluginGrantColumns = columnsFor<PluginGrant>()({
  id: 'id',
  pluginId: 'plugin_id',
  userId: 'user_id',
  baseId: 'base_id',
  scopes: json('scopes'),
  tradeHash: 'trade_hash',
  accessHash: optional('access_hash'),
  accessExpiresTime: optional('access_expires_time'),
  secretHash: 'secret_hash',
  withdrawnVersion: optional('withdrawn_version'),
  createdTime: 'created_time',
  lastUsedTime: optional('last_used_time'),
  expiresTime: 'expires_time',
})

/** A row of `plugin_grants`. */
export type PluginGrantRow = RowOf<typeof pluginGrantColumns>

import type { AccessToken } from '@gateleg/domain/access-tokens/access-token'
import { flag, json, optional, optionalJson } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `access_tokens`. */
export const accessTokenColumns = columnsFor<AccessToken>()({
  id: 'id',
  userId: 'user_id',
  name: 'name',
  description: optional('description'),
  scopes: json('scopes'),
  spaceIds: optionalJson('space_ids'),
  baseIds: optionalJson('base_ids'),
  hasFullAccess: flag('has_full_access'),
  tokenHash: 'token_hash',
  expiresTime: 'expires_time',
  createdTime: 'created_time',
  lastUsedTime: optional('last_used_time'),
  version: 'version',
})

/** A row of `access_tokens`. */
export type AccessTokenRow = RowOf<typeof accessTokenColumns>

import type { OAuthClient } from '@gateleg/domain/oauth-clients/oauth-client'
import type { OAuthGrant } from '@gateleg/domain/oauth-grants/oauth-grant'
import { flag, json, optional } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `oauth_clients`. */
export const oauthClientColumns = columnsFor<OAuthClient>()({
  id: 'id',
  name: 'name',
  description: optional('description'),
  homepage: 'homepage',
  logo: optional('logo'),
  scopes: json('scopes'),
  redirectUris: json('redirect_uris'),
  secrets: json('secrets'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedTime: 'last_modified_time',
  version: 'version',
})

/** A row of `oauth_clients`. */
export type OAuthClientRow = RowOf<typeof oauthClientColumns>

/** The columns of `oauth_grants`. */
export const oauthGrantColumns = columnsFor<OAuthGrant>()({
  id: 'id',
  clientId: 'client_id',
  userId: 'user_id',
  scopes: json('scopes'),
  stage: 'stage',
  request: json('request'),
  isProven: flag('is_proven'),
  familyHash: 'family_hash',
  tradeHash: 'trade_hash',
  accessHash: optional('access_hash'),
  accessExpiresTime: optional('access_expires_time'),
  createdTime: 'created_time',
  lastUsedTime: optional('last_used_time'),
  expiresTime: 'expires_time',
})

/** A row of `oauth_grants`. */
export type OAuthGrantRow = RowOf<typeof oauthGrantColumns>

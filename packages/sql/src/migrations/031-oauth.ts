import type { Migration } from './migration.ts'

/** OAuth apps, and what users let them do in their name. */
export const oauth: Migration = {
  name: '031-oauth',
  statements: ({ db, table }) => [
    table(
      'oauth_clients',
      [
        ['id', 'text'],
        ['name', 'text'],
        ['description', 'text', 'null'],
        ['homepage', 'text'],
        ['logo', 'text', 'null'],
        ['scopes', 'text'],
        ['redirect_uris', 'text'],
        ['secrets', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['last_modified_time', 'text'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema.createIndex('oauth_clients_maker').on('oauth_clients').column('created_by'),
    table(
      'oauth_grants',
      [
        ['id', 'text'],
        ['client_id', 'text'],
        ['user_id', 'text'],
        ['scopes', 'text'],
        ['stage', 'text'],
        ['request', 'text'],
        ['is_proven', 'boolean'],
        ['family_hash', 'text'],
        ['trade_hash', 'text'],
        ['access_hash', 'text', 'null'],
        ['access_expires_time', 'text', 'null'],
        ['created_time', 'text'],
        ['last_used_time', 'text', 'null'],
        ['expires_time', 'text'],
      ],
      ['id'],
    ),
    db.schema.createIndex('oauth_grants_user').on('oauth_grants').column('user_id'),
    db.schema.createIndex('oauth_grants_expiry').on('oauth_grants').column('expires_time'),
  ],
}

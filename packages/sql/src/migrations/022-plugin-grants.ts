import type { Migration } from './migration.ts'

/** What users let plugins do in their name. */
export const pluginGrants: Migration = {
  name: '022-plugin-grants',
  statements: ({ db, table }) => [
    table(
      'plugin_grants',
      [
        ['id', 'text'],
        ['plugin_id', 'text'],
        ['user_id', 'text'],
        ['base_id', 'text'],
        ['scopes', 'text'],
        ['trade_hash', 'text'],
        ['access_hash', 'text', 'null'],
        ['access_expires_time', 'text', 'null'],
        ['secret_hash', 'text'],
        ['created_time', 'text'],
        ['expires_time', 'text'],
      ],
      ['id'],
    ),
    db.schema.createIndex('plugin_grants_user').on('plugin_grants').column('user_id'),
    db.schema.createIndex('plugin_grants_expiry').on('plugin_grants').column('expires_time'),
  ],
}

import type { Migration } from './migration.ts'

/** By which links views are shown to people without an account, and what those may see and do. */
export const viewShares: Migration = {
  name: '013-view-shares',
  statements: ({ db, table }) => [
    table(
      'view_shares',
      [
        ['view_id', 'text'],
        ['table_id', 'text'],
        ['share_id', 'text', 'null'],
        ['settings', 'text'],
        ['password_hash', 'text', 'null'],
        ['password_tag', 'text', 'null'],
      ],
      ['view_id'],
    ),
    db.schema.createIndex('view_shares_share').on('view_shares').column('share_id').unique(),
    db.schema.createIndex('view_shares_table').on('view_shares').column('table_id'),
  ],
}

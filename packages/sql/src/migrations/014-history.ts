import type { Migration } from './migration.ts'

/** The tables whose history is kept: what was changed lies beside each, in a table of its own. */
export const history: Migration = {
  name: '014-history',
  statements: ({ db, table }) => [
    table(
      'history_tables',
      [
        ['table_id', 'text'],
        ['base_id', 'text'],
        ['trim_time', 'text'],
      ],
      ['table_id'],
    ),
    db.schema.createIndex('history_tables_trim').on('history_tables').column('trim_time'),
  ],
}

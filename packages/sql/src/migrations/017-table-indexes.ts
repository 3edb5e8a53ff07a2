import type { Migration } from './migration.ts'

/** The indexes that are made for what people ask of tables. */
export const tableIndexes: Migration = {
  name: '017-table-indexes',
  statements: ({ db, table }) => [
    table(
      'table_indexes',
      [
        ['name', 'text'],
        ['table_id', 'text'],
        ['base_id', 'text'],
        ['key', 'text'],
        ['state', 'text'],
        ['definition', 'text'],
        ['used_time', 'text'],
        ['checked_time', 'text'],
      ],
      ['name'],
    ),
    db.schema.createIndex('table_indexes_table').on('table_indexes').column('table_id'),
    db.schema.createIndex('table_indexes_checked').on('table_indexes').column('checked_time'),
  ],
}

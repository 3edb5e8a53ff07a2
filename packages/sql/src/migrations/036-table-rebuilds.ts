import type { Migration } from './migration.ts'

/** Which tables are copied into new ones beside them, how far that is, and which already have the place of the old one. */
export const tableRebuilds: Migration = {
  name: '036-table-rebuilds',
  statements: ({ table, addColumn }) => [
    table(
      'table_rebuilds',
      [
        ['table_id', 'text'],
        ['shape', 'text'],
        ['copied_number', 'bigint'],
        ['is_ready', 'boolean'],
        ['exchanged_at', 'text', 'null'],
      ],
      ['table_id'],
    ),
    addColumn('tables', ['rebuilt_name', 'text', 'null']),
  ],
}

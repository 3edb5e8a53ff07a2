import type { Migration } from './migration.ts'

/** Conversions that the background finishes, and the columns that conversions have replaced. */
export const conversions: Migration = {
  name: '006-conversions',
  statements: ({ table }) => [
    table(
      'retired_columns',
      [
        ['table_id', 'text'],
        ['name', 'text'],
        ['type', 'text'],
        ['emptied_number', 'bigint'],
        ['is_empty', 'boolean'],
      ],
      ['table_id', 'name'],
    ),
    table(
      'conversions',
      [
        ['field_id', 'text'],
        ['table_id', 'text'],
        ['source', 'text'],
      ],
      ['field_id'],
    ),
    table(
      'written_cells',
      [
        ['field_id', 'text'],
        ['record_number', 'bigint'],
      ],
      ['field_id', 'record_number'],
    ),
  ],
}

import type { Migration } from './migration.ts'

/** The bits of records with which searches find those that may show a text, and which records were changed since. */
export const searchIndex: Migration = {
  name: '023-search-index',
  statements: ({ db, table }) => [
    table(
      'search_heads',
      [
        ['table_id', 'text'],
        ['slots', 'integer'],
        ['signed', 'integer'],
        ['whole', 'integer'],
      ],
      ['table_id'],
    ),
    table(
      'search_segments',
      [
        ['table_id', 'text'],
        ['slot', 'integer'],
        ['segment', 'integer'],
        ['bits', 'text'],
      ],
      ['table_id', 'slot', 'segment'],
    ),
    table(
      'search_changes',
      [
        ['id', 'text'],
        ['table_id', 'text'],
        ['numbers', 'text'],
      ],
      ['id'],
    ),
    db.schema.createIndex('search_changes_table').on('search_changes').column('table_id'),
  ],
}

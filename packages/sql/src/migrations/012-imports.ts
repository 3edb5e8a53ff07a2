import type { Migration } from './migration.ts'

/** Rows of files that become records, and what has become of them. */
export const imports: Migration = {
  name: '012-imports',
  statements: ({ db, table }) => [
    table(
      'imports',
      [
        ['id', 'text'],
        ['base_id', 'text'],
        ['table_id', 'text', 'null'],
        ['field_ids', 'text'],
        ['state', 'text'],
        ['progress', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['expires_time', 'text'],
      ],
      ['id'],
    ),
    db.schema.createIndex('imports_base').on('imports').columns(['base_id', 'state']),
    db.schema.createIndex('imports_expiry').on('imports').column('expires_time'),
    table(
      'import_pieces',
      [
        ['import_id', 'text'],
        ['number', 'integer'],
        ['content', 'text'],
      ],
      ['import_id', 'number'],
    ),
  ],
}

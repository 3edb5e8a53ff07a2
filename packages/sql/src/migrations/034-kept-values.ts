import type { Migration } from './migration.ts'

/** What is kept for steps of undo beside them, as it is too much for one. */
export const keptValues: Migration = {
  name: '034-kept-values',
  statements: ({ db, table }) => [
    table(
      'kept_values',
      [
        ['id', 'text'],
        ['table_id', 'text'],
        ['field_id', 'text'],
        ['column_name', 'text', 'null'],
        ['counted_number', 'bigint', 'null'],
        ['expires_time', 'text'],
      ],
      ['id'],
    ),
    db.schema.createIndex('kept_values_table').on('kept_values').column('table_id'),
    db.schema.createIndex('kept_values_expiry').on('kept_values').column('expires_time'),
    table(
      'kept_parts',
      [
        ['id', 'text'],
        ['number', 'integer'],
        ['content', 'text'],
      ],
      ['id', 'number'],
    ),
  ],
}

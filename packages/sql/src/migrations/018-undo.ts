import type { Migration } from './migration.ts'

/** What users did in their windows, so that it can be undone. */
export const undo: Migration = {
  name: '018-undo',
  statements: ({ db, table }) => [
    table(
      'undo_commands',
      [
        ['user_id', 'text'],
        ['number', 'integer'],
        ['table_id', 'text'],
        ['window_id', 'text'],
        ['is_undone', 'boolean'],
        ['steps', 'text'],
        ['expires_time', 'text'],
      ],
      ['user_id', 'number'],
    ),
    db.schema.createIndex('undo_commands_table').on('undo_commands').column('table_id'),
    db.schema.createIndex('undo_commands_expiry').on('undo_commands').column('expires_time'),
  ],
}

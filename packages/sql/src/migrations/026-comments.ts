import type { Migration } from './migration.ts'

/** What people say about records. */
export const comments: Migration = {
  name: '026-comments',
  statements: ({ db, table }) => [
    table(
      'comments',
      [
        ['id', 'text'],
        ['table_id', 'text'],
        ['record_id', 'text'],
        ['number', 'integer'],
        ['quote_id', 'text', 'null'],
        ['content', 'text'],
        ['reactions', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['last_modified_time', 'text', 'null'],
        ['version', 'integer'],
      ],
      ['id'],
    ),
    db.schema
      .createIndex('comments_record')
      .unique()
      .on('comments')
      .columns(['table_id', 'record_id', 'number']),
  ],
}

import type { Migration } from './migration.ts'

/** The pictures that users have uploaded. */
export const avatars: Migration = {
  name: '033-avatars',
  statements: ({ db, table }) => [
    table(
      'avatars',
      [
        ['user_id', 'text'],
        ['id', 'text'],
        ['path', 'text'],
        ['size', 'bigint'],
      ],
      ['user_id'],
    ),
    ...(['id', 'path'] as const).map((column) =>
      db.schema.createIndex(`avatars_${column}`).on('avatars').column(column),
    ),
  ],
}

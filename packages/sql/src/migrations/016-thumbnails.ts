import type { Migration } from './migration.ts'

/** Which thumbnails of images are kept, and of which images there are none. */
export const thumbnails: Migration = {
  name: '016-thumbnails',
  statements: ({ db, table }) => [
    table(
      'thumbnails',
      [
        ['source_path', 'text'],
        ['kind', 'text'],
        ['path', 'text', 'null'],
        ['size', 'bigint'],
      ],
      ['source_path', 'kind'],
    ),
    db.schema.createIndex('thumbnails_path').on('thumbnails').column('path'),
  ],
}

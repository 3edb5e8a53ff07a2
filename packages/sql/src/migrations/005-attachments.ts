import type { Migration } from './migration.ts'

/** The files that cells hold, by their tokens. */
export const attachments: Migration = {
  name: '005-attachments',
  statements: ({ table }) => [
    table(
      'attachments',
      [
        ['token', 'text'],
        ['space_id', 'text'],
        ['path', 'text'],
        ['size', 'bigint'],
        ['mimetype', 'text'],
        ['width', 'integer', 'null'],
        ['height', 'integer', 'null'],
        ['created_by', 'text'],
        ['created_time', 'text'],
      ],
      ['token'],
    ),
  ],
}

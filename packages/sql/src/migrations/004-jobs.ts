import type { Migration } from './migration.ts'

/** Background work. */
export const jobs: Migration = {
  name: '004-jobs',
  statements: ({ db, table }) => [
    table(
      'jobs',
      [
        ['id', 'text'],
        ['kind', 'text'],
        ['due_time', 'text'],
        ['failures', 'integer'],
        ['claim', 'text', 'null'],
        ['lease_until_time', 'text', 'null'],
      ],
      ['id'],
    ),
    db.schema.createIndex('jobs_due').on('jobs').column('due_time'),
  ],
}

import type { Migration } from './migration.ts'

/** Background work, and the fields that it works out. */
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
    table(
      'calculations',
      [
        ['field_id', 'text'],
        ['table_id', 'text'],
        ['after_number', 'bigint'],
        ['until_number', 'bigint'],
      ],
      ['field_id'],
    ),
    db.schema.createIndex('calculations_table').on('calculations').column('table_id'),
  ],
}

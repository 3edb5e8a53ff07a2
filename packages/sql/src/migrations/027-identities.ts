import type { Migration } from './migration.ts'

/** By which accounts elsewhere people sign in. */
export const identities: Migration = {
  name: '027-identities',
  statements: ({ db, table }) => [
    table(
      'identities',
      [
        ['id', 'text'],
        ['user_id', 'text'],
        ['provider_id', 'text'],
        ['space_id', 'text'],
        ['authority', 'text'],
        ['subject', 'text'],
        ['created_time', 'text'],
      ],
      ['id'],
    ),
    db.schema
      .createIndex('identities_subject')
      .unique()
      .on('identities')
      .columns(['provider_id', 'authority', 'subject']),
    db.schema.createIndex('identities_user').on('identities').column('user_id'),
    db.schema.createIndex('identities_space').on('identities').column('space_id'),
  ],
}

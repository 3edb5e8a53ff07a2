import type { Migration } from './migration.ts'

/** Invitations by mail: roles that wait for who reads it. */
export const invitations: Migration = {
  name: '008-invitations',
  statements: ({ db, table }) => [
    table(
      'invitations',
      [
        ['token_hash', 'text'],
        ['id', 'text'],
        ['resource_type', 'text'],
        ['resource_id', 'text'],
        ['email', 'text'],
        ['role', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['expires_time', 'text'],
      ],
      ['token_hash'],
    ),
    db.schema
      .createIndex('invitations_email')
      .on('invitations')
      .columns(['resource_id', 'email'])
      .unique(),
    db.schema.createIndex('invitations_expiry').on('invitations').column('expires_time'),
  ],
}

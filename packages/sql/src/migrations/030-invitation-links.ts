import type { Migration } from './migration.ts'

/** Links by which whoever has them joins a space or a base. */
export const invitationLinks: Migration = {
  name: '030-invitation-links',
  statements: ({ db, table }) => [
    table(
      'invitation_links',
      [
        ['id', 'text'],
        ['resource_type', 'text'],
        ['resource_id', 'text'],
        ['role', 'text'],
        ['created_by', 'text'],
        ['created_time', 'text'],
        ['expires_time', 'text'],
        ['joined', 'integer'],
      ],
      ['id'],
    ),
    db.schema
      .createIndex('invitation_links_place')
      .on('invitation_links')
      .columns(['resource_id', 'created_time', 'id']),
    db.schema.createIndex('invitation_links_expiry').on('invitation_links').column('expires_time'),
  ],
}

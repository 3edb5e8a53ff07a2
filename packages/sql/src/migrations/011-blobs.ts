import type { Migration } from './migration.ts'

/** Which bytes the blob store keeps, which files cells have had, and the places of files to come. */
export const blobs: Migration = {
  name: '011-blobs',
  statements: ({ db, table, addColumn }) => [
    addColumn('attachments', ['attached_time', 'text', 'null']),
    // Files were known before only once cells had them.
    db.updateTable('attachments').set((eb) => ({ attached_time: eb.ref('created_time') })),
    db.schema
      .createIndex('attachments_unattached')
      .on('attachments')
      .columns(['attached_time', 'created_time']),
    db.schema.createIndex('attachments_path').on('attachments').column('path'),
    table(
      'blobs',
      [
        ['digest', 'text'],
        ['path', 'text'],
        ['brought_time', 'text'],
      ],
      ['digest'],
    ),
    db.schema.createIndex('blobs_path').on('blobs').column('path'),
    db.schema.createIndex('blobs_brought').on('blobs').column('brought_time'),
    table(
      'upload_slots',
      [
        ['token', 'text'],
        ['space_id', 'text'],
        ['user_id', 'text'],
        ['size', 'bigint'],
        ['expires_time', 'text'],
      ],
      ['token'],
    ),
    db.schema.createIndex('upload_slots_expiry').on('upload_slots').column('expires_time'),
  ],
}

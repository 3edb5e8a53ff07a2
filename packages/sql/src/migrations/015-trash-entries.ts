import { sql } from 'kysely'
import type { Migration, TableBuilder } from './migration.ts'

/** What was deleted by which call, so that it can be listed, brought back, or purged. */
export const trashEntries: Migration = {
  name: '015-trash-entries',
  statements: (builder) => [
    builder.table(
      'trash_entries',
      [
        ['id', 'text'],
        ['place_id', 'text'],
        ['resource_type', 'text'],
        ['resource_ids', 'text'],
        ['deleted_time', 'text'],
        ['deleted_by', 'text'],
        ['is_purged', 'boolean'],
      ],
      ['id'],
    ),
    builder.db.schema
      .createIndex('trash_entries_place')
      .on('trash_entries')
      .columns(['place_id', 'deleted_time', 'id']),
    builder.db.schema
      .createIndex('trash_entries_time')
      .on('trash_entries')
      .columns(['is_purged', 'deleted_time', 'id']),
    ...earlierDeletions(builder),
  ],
}

/** Where the entries of earlier deletions lie. Records are left out: they would have to be looked for. */
const places = [
  ['spaces', 'id', 'space'],
  ['bases', 'space_id', 'base'],
  ['tables', 'base_id', 'table'],
  ['dashboards', 'base_id', 'dashboard'],
  ['workflows', 'base_id', 'workflow'],
  ['fields', 'table_id', 'field'],
  ['views', 'table_id', 'view'],
] as const

const columns = [
  ...(['id', 'place_id', 'resource_type', 'resource_ids'] as const),
  ...(['deleted_time', 'deleted_by', 'is_purged'] as const),
]

/** One entry for each operation; of several fields it names one, and the others come back with it. */
function earlierDeletions({ db }: TableBuilder) {
  return places.map(([table, place, type]) =>
    db
      .insertInto('trash_entries')
      .columns(columns)
      .expression(
        db
          .selectFrom(table as 'tables')
          .select([
            sql<string>`deletion_id`.as('id'),
            sql<string>`min(${sql.ref(place)})`.as('place_id'),
            sql<string>`${sql.lit(type)}`.as('resource_type'),
            sql<string>`'["' || min(id) || '"]'`.as('resource_ids'),
            sql<string>`min(deleted_time)`.as('deleted_time'),
            sql<string>`min(deleted_by)`.as('deleted_by'),
            sql<boolean>`false`.as('is_purged'),
          ])
          .where('deletion_id', 'is not', null)
          .groupBy('deletion_id'),
      ),
  )
}

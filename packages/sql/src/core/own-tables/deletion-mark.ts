import type { Deleted, DeletedPage, Deletion } from '@gateleg/domain/trash/deletion'
import { sql } from 'kysely'
import type { DeletionColumns } from '../../metadata/table-columns.ts'
import { type PreparedQuery, prepared } from '../database.ts'
import type { SqlSession } from '../session.ts'

/** Tables in which deleted rows stay, with a mark of their deletion. */
type MarkedTable =
  | 'spaces'
  | 'bases'
  | 'tables'
  | 'fields'
  | 'views'
  | 'nodes'
  | 'dashboards'
  | 'workflows'

/** The values of the mark in a row that isn't deleted. */
export const noDeletion = { deletion_id: null, deleted_time: null, deleted_by: null }

/** Removes the mark of a deletion from the rows with the ids. */
export function restoreIn(table: MarkedTable): PreparedQuery<{ ids: readonly string[] }, unknown> {
  return prepared((db, value, dialect) =>
    db
      .updateTable(table)
      .set(noDeletion)
      .where(dialect.lists.isIn('id', value('ids'))),
  )
}

/** Sets the mark of a deletion in the rows with the ids. */
export function markDeletedIn(
  table: MarkedTable,
): PreparedQuery<Deletion & { ids: readonly string[] }, unknown> {
  return prepared((db, value, dialect) =>
    db
      .updateTable(table)
      .set({
        deletion_id: value('operationId'),
        deleted_time: value('time'),
        deleted_by: value('userId'),
      })
      .where(dialect.lists.isIn('id', value('ids'))),
  )
}

/** Reads deleted rows of one place, a table or a base, as what they keep. */
export function readDeletedIn<Row extends object, Thing>(
  table: MarkedTable,
  place: 'table_id' | 'base_id',
  toThing: (row: Row) => Thing,
): (session: SqlSession, placeId: string, page: DeletedPage) => Promise<readonly Deleted<Thing>[]> {
  const query = prepared<{ placeId: string } & DeletedPage, Row & DeletionColumns>(
    (db, value) =>
      db
        .selectFrom(table)
        .selectAll()
        .where(sql.ref(place), '=', value('placeId'))
        .where('deletion_id', 'is not', null)
        .where('id', '>', value('after'))
        .orderBy('id')
        .limit(value('most')) as never,
  )
  return async (session, placeId, page) => {
    const rows = await session.all(query, { placeId, ...page })
    return rows.map((row) => ({ thing: toThing(row), operationId: row.deletion_id ?? '' }))
  }
}

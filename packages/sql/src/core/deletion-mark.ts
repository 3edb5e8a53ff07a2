import type { Deletion } from '@gateleg/domain/trash/deletion'
import { type PreparedQuery, prepared } from './database.ts'

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

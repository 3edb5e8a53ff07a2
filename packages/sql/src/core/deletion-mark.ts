import type { Deletion } from '@gateleg/domain/trash/deletion'
import { type PreparedQuery, prepared } from './database.ts'

/** Tables whose rows are deleted by being marked. */
type MarkedTable =
  | 'spaces'
  | 'bases'
  | 'tables'
  | 'fields'
  | 'views'
  | 'nodes'
  | 'dashboards'
  | 'workflows'

/** What a row has that isn't deleted. */
export const noDeletion = { deletion_id: null, deleted_time: null, deleted_by: null }

/** Takes the mark of a deletion from the rows of the table that have the ids. */
export function restoreIn(table: MarkedTable): PreparedQuery<{ ids: readonly string[] }, unknown> {
  return prepared((db, value, dialect) =>
    db
      .updateTable(table)
      .set(noDeletion)
      .where(dialect.lists.isIn('id', value('ids'))),
  )
}

/** Leaves the mark of a deletion on the rows of the table that have the ids. */
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

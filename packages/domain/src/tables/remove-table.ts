import type { Deletion } from '../trash/deletion.ts'
import type { Table } from './table.ts'
import type { TableContext } from './table-context.ts'

/** Marks a table as deleted, all but its node. */
export async function markTableDeleted(
  { tx, now, userId }: TableContext,
  table: Table,
  deletion: Deletion,
): Promise<void> {
  await tx.tables.markDeleted(table.id, deletion)
  tx.emit({ name: 'table.deleted', time: now, userId, payload: { tableId: table.id } })
}

/** Removes a table for good, all but its node. */
export async function removeTable({ tx, now, userId }: TableContext, table: Table): Promise<void> {
  await tx.tables.deletePermanently(table)
  tx.emit({ name: 'table.deleted', time: now, userId, payload: { tableId: table.id } })
}

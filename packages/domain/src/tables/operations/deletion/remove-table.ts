import { breakReaders } from '../../../fields/operations/derivation/break-readers.ts'
import { scheduleHistoryRemoval } from '../../../history/history-jobs.ts'
import type { Deletion } from '../../../trash/deletion.ts'
import { scheduleRemovalOfAll } from '../../../views/row-order-jobs.ts'
import type { Table } from '../../table.ts'
import type { TableContext } from '../../table-context.ts'

/** Marks a table as deleted, all but its node. Fields that read it have errors from then on. */
export async function markTableDeleted(
  context: TableContext,
  table: Table,
  deletion: Deletion,
): Promise<void> {
  const { tx, now, userId } = context
  const schema = await tx.fields.schemaOf(table)
  await tx.tables.markDeleted(table.id, deletion)
  const what = { resourceType: 'table', resourceIds: [table.id] } as const
  await tx.trash.add(deletion, { placeId: table.baseId, ...what })
  tx.emit({ name: 'table.deleted', time: now, userId, payload: { tableId: table.id } })
  await breakReaders(context, [schema])
}

/** Removes a table for good with the links of its records, all but its node. Fields that read it have errors from then on. */
export async function removeTable(context: TableContext, table: Table): Promise<void> {
  const { tx, now, userId } = context
  // What a table takes isn't known before it is gone through.
  tx.becomeLong()
  const schema = await tx.fields.schemaOf(table)
  const ends = await tx.fields.linkEndsOf(table.id)
  await scheduleRemovalOfAll(tx, table, Date.parse(now))
  await scheduleHistoryRemoval(tx, table, now)
  await tx.tables.deletePermanently(table)
  for (const { end } of ends) await tx.links.drop(end)
  tx.emit({ name: 'table.deleted', time: now, userId, payload: { tableId: table.id } })
  await breakReaders(context, [schema])
}

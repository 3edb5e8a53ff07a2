import type { TableSettings } from '../../schemas/table-repository.ts'
import { touchNodeOf } from '../../tree/touch-node-of.ts'
import type { Table } from '../table.ts'
import type { TableContext } from '../table-context.ts'

/** Changes settings of a table, and counts the change on its node. Equal settings change nothing. */
export async function changeTable(
  context: TableContext,
  table: Table,
  settings: Partial<TableSettings>,
): Promise<void> {
  const { tx, now, userId } = context
  const { name, description, icon } = { ...table, ...settings }
  if (name === table.name && description === table.description && icon === table.icon) return
  await tx.tables.update(table.id, { name, description, icon }, now)
  await touchNodeOf(context, table.id)
  tx.emit({ name: 'table.updated', time: now, userId, payload: { tableId: table.id } })
}

import { invalidAt } from '../../errors.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { requireRoomForViews } from '../change-view.ts'
import { placeForView } from './add-view.ts'

/**
 * Takes a view out of the trash of a table that is held for update: as it was, under its name or one with a number that is
 * free. Throws validation_error where the table has no room for it.
 */
export async function restoreView(
  context: TableContext & { readonly table: Table },
  viewId: string,
): Promise<void> {
  const { tx, table, userId, now } = context
  const view = await tx.views.findDeleted(table.id, viewId)
  if (!view) throw invalidAt([], 'the view is gone')
  const { name } = await placeForView(context, view.name)
  await tx.views.restore(viewId, name)
  await requireRoomForViews(context, table.id)
  const payload = { tableId: table.id, viewId }
  tx.emit({ name: 'view.created', time: now, userId, payload })
}

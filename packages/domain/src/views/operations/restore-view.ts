import { invalidAt } from '../../errors.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { nameTaken } from '../../trash/name-taken.ts'
import { requireRoomForViews } from '../change-view.ts'
import { beforeEqual, noteAddedView, placeForView } from './add-view.ts'

/**
 * Takes a view out of the trash of a table that is held for update: as it was, under its name or one with a number that is
 * free, or under its own alone; right before the view that has its order by now, if there is one. Throws validation_error
 * where the table has no room for it, or its name is taken then.
 */
export async function restoreView(
  context: TableContext & { readonly table: Table },
  viewId: string,
  under: 'free names' | 'own names' = 'free names',
): Promise<void> {
  const { tx, table, userId, now } = context
  const view = await tx.views.findDeleted(table.id, viewId)
  if (!view) throw invalidAt([], 'the view is gone')
  const { name, views } = await placeForView(context, view.name)
  if (under === 'own names' && name !== view.name) throw nameTaken(view.name)
  await tx.views.restore(viewId, name)
  const { order } = await beforeEqual(context, view, views)
  if (order !== view.order) await tx.views.update({ ...view, name, order })
  await requireRoomForViews(context, table.id)
  await noteAddedView(context, view)
  const payload = { tableId: table.id, viewId }
  tx.emit({ name: 'view.created', time: now, userId, payload })
}

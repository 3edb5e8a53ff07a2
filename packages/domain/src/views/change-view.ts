import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { TableContext } from '../tables/table-context.ts'
import { settingsOf, type View, type ViewSettings } from './view.ts'

/** What can be changed of a view. */
export type ViewChanges = Partial<
  ViewSettings & Pick<View, 'name' | 'description' | 'order' | 'rowOrder' | 'isLocked'>
>

/**
 * Changes a view that is held. What is equal already is no change. Throws validation_error where the views of the
 * table would keep too much together.
 */
export async function changeView(
  context: TableContext,
  view: View,
  changes: ViewChanges,
): Promise<void> {
  const changed: View = { ...view, ...changes }
  const members = Object.keys(changes) as (keyof ViewChanges)[]
  const isSame = (member: keyof ViewChanges) =>
    JSON.stringify(changed[member]) === JSON.stringify(view[member])
  if (members.every(isSame)) return
  noteForUndo(context, view, changes)
  await saveChangedView(context, changed)
  if (lengthOf(changed) > lengthOf(view)) await requireRoomForViews(context, view.tableId)
}

/** Notes what changes of a view, for who may want to undo it. */
function noteForUndo({ undo }: Pick<TableContext, 'undo'>, view: View, changes: ViewChanges): void {
  undo?.noteChange({ kind: 'view', viewId: view.id }, view, changes)
}

/** Gives views of a table that is held other orders, by their ids: they keep their sequence, so nobody sees a change. */
export async function renumberViews(
  context: Pick<TableContext, 'tx' | 'undo'>,
  views: readonly View[],
  orders: ReadonlyMap<string, number>,
): Promise<void> {
  for (const view of views) {
    const order = orders.get(view.id)
    if (order === undefined || order === view.order) continue
    noteForUndo(context, view, { order })
    await context.tx.views.update({ ...view, order })
  }
}

/** Stores a view that is held and has changed, be it in what is kept beside it, under its next version. */
export async function saveChangedView(context: TableContext, view: View): Promise<void> {
  const { tx, now: time, userId } = context
  await tx.views.update({ ...view, lastModifiedBy: userId, lastModifiedTime: time })
  const payload = { tableId: view.tableId, viewId: view.id }
  tx.emit({ name: 'view.updated', time, userId, payload })
}

/** Refuses what views of the table keep, when it is too much together; to be asked once it is stored. */
export async function requireRoomForViews(
  { tx }: Pick<TableContext, 'tx'>,
  tableId: string,
): Promise<void> {
  const most = limits.tableViewsLength
  if ((await tx.views.settingsLength(tableId)) <= most) return
  throw invalidAt([], `the views of a table may keep ${most} characters at most as JSON together`)
}

function lengthOf(view: View): number {
  return JSON.stringify(settingsOf(view)).length
}

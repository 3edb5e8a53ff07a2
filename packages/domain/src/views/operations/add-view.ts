import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import type { Versioned } from '../../use-case.ts'
import { toFreeName } from '../../values/names.ts'
import { ordersAt } from '../../values/ordering.ts'
import { renumberViews, requireRoomForViews } from '../change-view.ts'
import { digestView } from '../digest-view.ts'
import { toViewOutput, type View, type ViewOutput } from '../view.ts'

/** Where a further view stands, and behind which others. */
interface Place {
  readonly schema: TableSchema
  readonly name: string
  readonly order: number
  /** The views that the table has, in their order. */
  readonly views: readonly View[]
}

/**
 * Where a further view of a table stands that is held for update: behind all others, under the name or one with
 * a number that is free. Throws validation_error when the table has all the views that it may have.
 */
export async function placeForView(
  { tx, table }: TableContext & Pick<TableScope, 'table'>,
  wanted: string,
): Promise<Place> {
  const views = await tx.views.listOf(table.id)
  if (views.length >= limits.viewsPerTable) {
    throw invalidAt([], `a table has ${limits.viewsPerTable} views at most`)
  }
  const names = new Set(views.map(({ name }) => name))
  return {
    schema: await tx.fields.schemaOf(table),
    name: toFreeName(wanted, (name) => names.has(name)),
    order: Math.floor(views.at(-1)?.order ?? -1) + 1,
    views,
  }
}

/**
 * The view, right before the one of the table's views that has its order already, and under an order of its own then. Others
 * get other orders where no number is left between two.
 */
export async function beforeEqual(
  context: TableContext,
  view: View,
  views: readonly View[],
): Promise<View> {
  const index = views.findIndex(({ order }) => order === view.order)
  if (index === -1) return view
  const orders = ordersAt(views, index, [view.id])
  await renumberViews(context, views, orders)
  return { ...view, order: orders.get(view.id) ?? view.order }
}

/** Stores a view, and answers it. */
export async function addView(
  context: TableContext,
  view: View,
  { fields }: TableSchema,
): Promise<Versioned<ViewOutput>> {
  const { tx, now, userId } = context
  await tx.views.insert([view])
  await requireRoomForViews(context, view.tableId)
  const payload = { tableId: view.tableId, viewId: view.id }
  await noteAddedView(context, view)
  tx.emit({ name: 'view.created', time: now, userId, payload })
  const fieldIds = fields.map(({ field }) => field.id)
  return { ...toViewOutput(view, fieldIds), version: view.version }
}

/** Notes that a call made a view, or brought it back, for who may want to undo it. */
export async function noteAddedView(
  { tx, undo }: TableContext,
  { id: viewId, tableId }: Pick<View, 'id' | 'tableId'>,
): Promise<void> {
  if (!undo) return
  const digest = await digestView(tx, { tableId, viewId })
  undo.noteTrash({ kind: 'addition', of: 'view', ids: [viewId], digest })
}

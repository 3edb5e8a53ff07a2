import type { RowOrder } from '../../queries/row-order.ts'
import { newOrder, numbersOf } from '../../records/writing/place-records.ts'
import { saveChangedView } from '../../views/change-view.ts'
import { dropRowOrder } from '../../views/operations/freeze-row-order.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { requireUnlocked } from '../../views/view-guard.ts'
import type { RowsStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/**
 * Gives records the places back that they had in the row order of a view, or those to which they were moved. A view that
 * had no row order before has none afterwards, unless somebody else moved records since. Returns the step as it is then.
 */
export async function applyRows(
  context: UndoContext,
  step: RowsStep,
  direction: UndoDirection,
): Promise<RowsStep> {
  requireAction(context, 'view|update')
  const { tx, table } = context
  const view = await requireView(tx, { tableId: table.id, viewId: step.viewId }, 'update')
  requireUnlocked(view)
  const schema = await tx.fields.schemaOf(table)
  const { baseId } = schema
  const order = await orderFor(context, view, step, direction)
  if (order.renumberedVersion !== step.renumberedVersion) {
    throw movedOn(`The places of the rows around in the view "${view.name}"`)
  }
  const recordIds = step.rows.map(([id]) => id)
  const numbers = await numbersOf(context, schema, recordIds)
  const noted = await tx.rowOrders.notedOf(baseId, order.id, numbers)
  const places = numbers.map((autoNumber, index) => {
    const [id = '', before = 0, after = 0] = step.rows[index] ?? []
    const [expected, position] = direction === 'undo' ? [after, before] : [before, after]
    const held = noted.get(autoNumber)?.position ?? autoNumber
    if (held !== expected) throw movedOn(`The place of the record "${id}"`)
    return { autoNumber, position }
  })
  await tx.rowOrders.move(baseId, order.id, places, view.version + 1)
  const isOver =
    step.isFirst && direction === 'undo' && (await tx.rowOrders.isByNumber(baseId, order.id))
  if (isOver) await dropRowOrder(context, schema, view)
  await saveChangedView(context, { ...view, rowOrder: isOver ? null : order })
  return { ...step, orderId: order.id }
}

/** The row order in which the records were moved; a first one is made anew where it is gone. */
async function orderFor(
  context: UndoContext,
  view: View,
  { orderId, isFirst, renumberedVersion }: RowsStep,
  direction: UndoDirection,
): Promise<RowOrder> {
  const { rowOrder } = view
  if (rowOrder?.id === orderId) return rowOrder
  if (rowOrder || !isFirst || direction === 'undo') {
    throw movedOn(`The row order of the view "${view.name}"`)
  }
  const isKept = await context.tx.rowOrders.exists(context.table.baseId, orderId)
  return isKept
    ? { id: orderId, frozenNumber: 0, renumberedVersion }
    : newOrder(context, context.table.baseId)
}

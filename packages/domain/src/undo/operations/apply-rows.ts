import { numberingOf, type RowOrder } from '../../queries/row-order.ts'
import { newOrder, numbersOf } from '../../records/row-order/place-records.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import { saveChangedView } from '../../views/change-view.ts'
import { dropRowOrder } from '../../views/operations/freeze-row-order.ts'
import { requireView } from '../../views/require-view.ts'
import type { RowPlace } from '../../views/row-order-repository.ts'
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
  if (numberingOf(order) !== step.renumberedVersion) throw placesMovedOn(view)
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
  const around = await placesAround(context, view, { schema, order }, step, numbers, direction)
  const { renumberedVersion, others, otherVersion = renumberedVersion } = step
  if (others) await tx.rowOrders.renumber(baseId, order.id, around)
  await tx.rowOrders.move(baseId, order.id, places, view.version + 1)
  const isOver =
    step.isFirst && direction === 'undo' && (await tx.rowOrders.isByNumber(baseId, order.id))
  if (isOver) await dropRowOrder(context, schema, view)
  const changed = { renumberedVersion: view.version + 1, numbering: otherVersion }
  const rowOrder = others ? { ...order, ...changed } : order
  await saveChangedView(context, { ...view, rowOrder: isOver ? null : rowOrder })
  const versions = others && { renumberedVersion: otherVersion, otherVersion: renumberedVersion }
  return { ...step, ...versions, orderId: order.id }
}

/**
 * The places that records around get back, or get again. Refuses where one of them, or of those between them, has another
 * place by now.
 */
async function placesAround(
  { tx }: UndoContext,
  view: View,
  { schema, order }: { readonly schema: TableSchema; readonly order: RowOrder },
  { others = [] }: RowsStep,
  moved: readonly number[],
  direction: UndoDirection,
): Promise<readonly RowPlace[]> {
  const [first] = others
  if (!first) return []
  const numbers = others.map(([autoNumber]) => autoNumber)
  const noted = await tx.rowOrders.notedOf(schema.baseId, order.id, numbers)
  const isAsLeft = others.every(([autoNumber, before, after]) => {
    const held = noted.get(autoNumber)?.position ?? autoNumber
    return held === (direction === 'undo' ? after : before)
  })
  const from = { autoNumber: first[0], position: direction === 'undo' ? first[2] : first[1] }
  const most = others.length - 1 + moved.length
  const near = await tx.rowOrders.near(schema, order, from, 'after', most)
  const following = near.map(({ autoNumber }) => autoNumber).filter((one) => !moved.includes(one))
  const areAlone = numbers.slice(1).every((autoNumber, index) => following[index] === autoNumber)
  if (!isAsLeft || !areAlone) throw placesMovedOn(view)
  return others.map(([autoNumber, before, after]) => {
    return { autoNumber, position: direction === 'undo' ? before : after }
  })
}

function placesMovedOn({ name }: View) {
  return movedOn(`The places of the rows around in the view "${name}"`)
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

import { type Issue, invalidAt, notFound } from '../../errors.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { saveChangedView } from '../../views/change-view.ts'
import type { RowPlace } from '../../views/row-order-repository.ts'
import type { View } from '../../views/view.ts'
import type { RowAnchor } from '../record-input.ts'
import { findRecords } from '../scan-records.ts'
import { makeRoom, placesBetween } from './place-between.ts'
import type { WrittenRecords } from './record-write.ts'

/** Beside which record others are put, and on which side of it. */
export interface RecordAnchor {
  readonly anchorId: string
  readonly position: 'before' | 'after'
}

/**
 * Puts living records next to another one in the row order of a view, which is held for update, in the sequence in
 * which they are given. A view that has no row order gets one: as records were created, but for these. Throws
 * not_found for an anchor that there is not.
 */
export async function placeRecords(
  context: TableContext,
  schema: TableSchema,
  view: View,
  { anchorId, position: side }: RecordAnchor,
  autoNumbers: readonly number[],
  path: Issue['path'] = [],
): Promise<void> {
  const { tx } = context
  const [anchorNumber] = await numbersOf(context, schema, [anchorId])
  if (anchorNumber === undefined) throw notFound('record', anchorId)
  if (autoNumbers.includes(anchorNumber)) {
    throw invalidAt([...path, 'anchorId'], 'must not be one of the records that are moved')
  }
  const order = view.rowOrder ?? (await newOrder(context, schema))
  const noted = await tx.rowOrders.notedOf(schema.baseId, order.id, [anchorNumber])
  const anchor: RowPlace = {
    autoNumber: anchorNumber,
    position: noted.get(anchorNumber)?.position ?? anchorNumber,
  }
  const beside = await tx.rowOrders.near(schema, order, anchor, side, autoNumbers.length + 1)
  if (stand(autoNumbers, beside, side)) return
  const moved = new Set(autoNumbers)
  const neighbour = beside.find(({ autoNumber }) => !moved.has(autoNumber))
  const gap =
    side === 'after' ? { left: anchor, right: neighbour } : { left: neighbour, right: anchor }
  const last = await tx.recordScanner.lastNumber(schema)
  const version = view.version + 1
  const places = placesBetween(gap.left?.position, gap.right?.position ?? last + 1, autoNumbers)
  if (places) await tx.rowOrders.move(schema.baseId, order.id, places, version)
  const renumbered = places === undefined
  if (renumbered) {
    const room = await makeRoom(tx, schema, order, { ...gap, end: last + 1 }, autoNumbers)
    await tx.rowOrders.renumber(schema.baseId, order.id, room.others)
    await tx.rowOrders.move(schema.baseId, order.id, room.places, version)
  }
  const rowOrder = renumbered ? { ...order, renumberedVersion: version } : order
  await saveChangedView(context, { ...view, rowOrder })
}

/** Puts records that were written where the request says, if it does. */
export async function placeWritten(
  context: TableContext,
  view: View | undefined,
  order: RowAnchor | undefined,
  { schema, records }: Pick<WrittenRecords, 'schema' | 'records'>,
): Promise<void> {
  if (!view || !order) return
  const numbers = records.map(({ autoNumber }) => autoNumber)
  await placeRecords(context, schema, view, order, numbers, ['order'])
}

/** The numbers of living records, in the order of their ids. Throws not_found for one that there is not. */
export async function numbersOf(
  { tx }: Pick<TableContext, 'tx'>,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<readonly number[]> {
  const numbers = new Map<string, number>()
  for await (const { records } of findRecords(tx, schema, recordIds, 'none', [])) {
    for (const { id, autoNumber } of records) numbers.set(id, autoNumber)
  }
  return recordIds.map((id) => {
    const number = numbers.get(id)
    if (number === undefined) throw notFound('record', id)
    return number
  })
}

async function newOrder({ tx, ids }: TableContext, schema: TableSchema): Promise<RowOrder> {
  const order = { id: ids.next('rowOrder'), frozenNumber: 0, renumberedVersion: 0 }
  await tx.rowOrders.create(schema.baseId, order.id)
  return order
}

/** Whether the records stand there in this sequence already. */
function stand(
  autoNumbers: readonly number[],
  beside: readonly RowPlace[],
  side: 'before' | 'after',
): boolean {
  const there = beside.slice(0, autoNumbers.length).map(({ autoNumber }) => autoNumber)
  if (side === 'before') there.reverse()
  return there.length === autoNumbers.length && there.every((one, at) => one === autoNumbers[at])
}

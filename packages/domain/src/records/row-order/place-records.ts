import { type Issue, invalidAt, notFound } from '../../errors.ts'
import { numberingOf, type RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { MovedRow, RowsStep } from '../../undo/undo-step.ts'
import { saveChangedView } from '../../views/change-view.ts'
import type { NotedPlace, RowPlace } from '../../views/row-order-repository.ts'
import type { View } from '../../views/view.ts'
import type { RowAnchor } from '../input/record-input.ts'
import { findRecords } from '../reading/scan-records.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type { WrittenRecords } from '../writing/record-write.ts'
import { makeRoom, placesBetween } from './place-between.ts'

/** Beside which record others are put, and on which side of it. */
interface RecordAnchor {
  readonly anchorId: string
  readonly position: 'before' | 'after'
}

/** A record that is put somewhere. */
type PlacedRow = Pick<StoredRecord, 'id' | 'autoNumber'>

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
  rows: readonly PlacedRow[],
  path: Issue['path'] = [],
): Promise<void> {
  const { tx } = context
  const { baseId } = schema
  const autoNumbers = rows.map(({ autoNumber }) => autoNumber)
  const [anchorNumber] = await numbersOf(context, schema, [anchorId])
  if (anchorNumber === undefined) throw notFound('record', anchorId)
  if (autoNumbers.includes(anchorNumber)) {
    throw invalidAt([...path, 'anchorId'], 'must not be one of the records that are moved')
  }
  const order = view.rowOrder ?? (await newOrder(context, baseId))
  const looked = context.undo ? [anchorNumber, ...autoNumbers] : [anchorNumber]
  const noted = await tx.rowOrders.notedOf(baseId, order.id, looked)
  const anchor: RowPlace = {
    autoNumber: anchorNumber,
    position: noted.get(anchorNumber)?.position ?? anchorNumber,
  }
  const beside = await tx.rowOrders.near(schema, order, anchor, side, autoNumbers.length + 1)
  if (stand(autoNumbers, beside, side)) {
    if (!view.rowOrder) await tx.rowOrders.removeSome(baseId, order.id, 1)
    return
  }
  const moved = new Set(autoNumbers)
  const neighbour = beside.find(({ autoNumber }) => !moved.has(autoNumber))
  const gap =
    side === 'after' ? { left: anchor, right: neighbour } : { left: neighbour, right: anchor }
  const last = await tx.recordScanner.lastNumber(schema)
  const version = view.version + 1
  const places = placesBetween(gap.left?.position, gap.right?.position ?? last + 1, autoNumbers)
  if (places) {
    await tx.rowOrders.move(baseId, order.id, places, version)
    noteMove(context, view, order, { rows, noted, places })
    await saveChangedView(context, { ...view, rowOrder: order })
    return
  }
  const room = await makeRoom(tx, schema, order, { ...gap, end: last + 1 }, autoNumbers)
  const { id, frozenNumber } = order
  const renumbered = { id, frozenNumber, renumberedVersion: version }
  const others = context.undo && (await changedPlaces(tx, baseId, id, room.others))
  await tx.rowOrders.renumber(baseId, id, room.others)
  await tx.rowOrders.move(baseId, id, room.places, version)
  const around = others && { others, otherVersion: numberingOf(order) }
  noteMove(context, view, renumbered, { rows, noted, places: room.places }, around)
  await saveChangedView(context, { ...view, rowOrder: renumbered })
}

/** Records that get other places, with those that they have until now. */
async function changedPlaces(
  { rowOrders }: Pick<WriteTx, 'rowOrders'>,
  baseId: string,
  orderId: string,
  places: readonly RowPlace[],
): Promise<NonNullable<RowsStep['others']>> {
  const numbers = places.map(({ autoNumber }) => autoNumber)
  const noted = await rowOrders.notedOf(baseId, orderId, numbers)
  return places.map(({ autoNumber, position }) => {
    return [autoNumber, noted.get(autoNumber)?.position ?? autoNumber, position] as const
  })
}

/** Puts records that were written where the request says, if it does. */
export async function placeWritten(
  context: TableContext,
  view: View | undefined,
  order: RowAnchor | undefined,
  { schema, records }: Pick<WrittenRecords, 'schema' | 'records'>,
): Promise<void> {
  if (!view || !order) return
  await placeRecords(context, schema, view, order, records, ['order'])
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

/** Makes a row order in which every record stands by its number. */
export async function newOrder(
  { tx, ids }: Pick<TableContext, 'tx' | 'ids'>,
  baseId: string,
): Promise<RowOrder> {
  const order = { id: ids.next('rowOrder'), frozenNumber: 0, renumberedVersion: 0 }
  await tx.rowOrders.create(baseId, order.id)
  return order
}

/** Notes which places records left for which others, and which those around got to make room, for who may want to undo it. */
function noteMove(
  { undo }: Pick<TableContext, 'undo'>,
  view: View,
  order: RowOrder,
  move: {
    readonly rows: readonly PlacedRow[]
    readonly noted: ReadonlyMap<number, NotedPlace>
    readonly places: readonly RowPlace[]
  },
  around: Pick<RowsStep, 'others' | 'otherVersion'> = {},
): void {
  if (!undo?.takeRoom(around)) return
  const moved: MovedRow[] = []
  for (const [index, { id, autoNumber }] of move.rows.entries()) {
    const before = move.noted.get(autoNumber)?.position ?? autoNumber
    const row: MovedRow = [id, before, move.places[index]?.position ?? before]
    if (!undo.takeRoom(row)) return
    moved.push(row)
  }
  const places = { isFirst: view.rowOrder === null, renumberedVersion: numberingOf(order) }
  undo.note({ kind: 'rows', viewId: view.id, orderId: order.id, ...places, ...around, rows: moved })
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

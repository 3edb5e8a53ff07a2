import type { Timestamp } from '../../clock.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import type { Ids } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import { toStoredSortKeys } from '../../queries/to-sort-keys.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx, Store, WriteTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { scheduleRemovalLater } from '../row-order-jobs.ts'
import type { OrderStep } from '../row-order-repository.ts'
import type { View, ViewSort } from '../view.ts'

/** By what records are ordered that are to stay in that order. */
type Ordering = Pick<RecordQuery, 'keys' | 'rowOrder'>

/** What there is to order, and by what. */
interface FreezeInput {
  readonly schema: TableSchema
  readonly ordering: Ordering
}

interface FreezeContext {
  readonly store: Store
  readonly ids: Ids
  readonly now: Timestamp
}

/**
 * Freezes the order of a table of many records, in transactions of its own between which others write: nobody sees the
 * order before a view is given it. `find` is asked first, and refuses who may not ask. Undefined for few records, whose
 * order is frozen in the transaction that needs it.
 */
export async function freezeMany(
  { store, ids, now }: FreezeContext,
  find: (tx: ReadTx) => Promise<FreezeInput | undefined>,
): Promise<RowOrder | undefined> {
  const sorted = await store.read(async (tx) => {
    const input = await find(tx)
    if (!input) return undefined
    const last = await tx.recordScanner.lastNumber(input.schema)
    if (last <= limits.recordsChangedAtOnce) return undefined
    tx.becomeLong()
    return { schema: input.schema, ...(await sortAll(tx, input)) }
  })
  if (!sorted) return undefined
  const { schema, records, steps, frozenNumber } = sorted
  const { baseId, tableId } = schema
  const orderId = ids.next('rowOrder')
  await store.write(async (tx) => {
    // Whoever had a number by then has made the record when this is answered, so that the steps find all up to the last one.
    await tx.tables.findAll([tableId], 'update')
    await scheduleRemovalLater(tx, { baseId, tableId, orderId }, Date.parse(now))
    await tx.rowOrders.begin(baseId, orderId, records)
  })
  for (let taken = 0; taken < steps.length; ) {
    taken = await store.write((tx) => takeSome(tx, { baseId, orderId }, steps, taken))
  }
  await store.write(
    async (tx) => {
      await requireOrder(tx, baseId, orderId)
      await tx.rowOrders.finish(baseId, orderId)
    },
    { isLong: true },
  )
  return { id: orderId, frozenNumber, renumberedVersion: 0 }
}

/** Takes steps for as long as nobody waits for it. Answers how many are taken by then. */
async function takeSome(
  tx: WriteTx,
  { baseId, orderId }: { readonly baseId: string; readonly orderId: string },
  steps: readonly OrderStep[],
  taken: number,
): Promise<number> {
  await requireOrder(tx, baseId, orderId)
  let next = taken
  for (const step of steps.slice(taken)) {
    await tx.rowOrders.take(baseId, orderId, step)
    next++
    if (!tx.mayDoMore()) break
  }
  return next
}

/** The order that was frozen before, if one was; else freezes that of the records in this transaction. */
export async function freezeNow(
  { tx, ids }: Pick<TableContext, 'tx' | 'ids'>,
  input: FreezeInput,
  frozen: RowOrder | undefined,
): Promise<RowOrder> {
  const { schema } = input
  if (frozen) {
    await requireOrder(tx, schema.baseId, frozen.id)
    return frozen
  }
  const last = await tx.recordScanner.lastNumber(schema)
  if (last > limits.recordsWrittenAtOnce) tx.becomeLong()
  const { records, steps, frozenNumber } = await sortAll(tx, input)
  const id = ids.next('rowOrder')
  await tx.rowOrders.begin(schema.baseId, id, records)
  for (const step of steps) await tx.rowOrders.take(schema.baseId, id, step)
  await tx.rowOrders.finish(schema.baseId, id)
  return { id, frozenNumber, renumberedVersion: 0 }
}

/** What is frozen by a sort that views keep; records that it leaves alike stay as they stand in the view. */
export function sortedBy(
  schema: TableSchema,
  { sortObjs }: Pick<ViewSort, 'sortObjs'>,
  view?: Pick<View, 'rowOrder'>,
): FreezeInput {
  const keys = toStoredSortKeys(sortObjs, { schema, fieldKeyType: 'id' })
  return { schema, ordering: { keys, rowOrder: view?.rowOrder ?? undefined } }
}

/** What is frozen by an order in which records stand already. */
export function standing(schema: TableSchema, rowOrder: RowOrder): FreezeInput {
  return { schema, ordering: { keys: [], rowOrder } }
}

/** Has the order that a view had until now removed, if there is one. */
export async function dropRowOrder(
  { tx, now }: Pick<TableContext, 'tx' | 'now'>,
  { baseId, tableId }: Pick<TableSchema, 'baseId' | 'tableId'>,
  { rowOrder }: Pick<View, 'rowOrder'>,
): Promise<void> {
  if (!rowOrder) return
  await scheduleRemovalLater(tx, { baseId, tableId, orderId: rowOrder.id }, Date.parse(now))
}

/** What is to be done to freeze the order of all records. */
interface Freezing {
  /** How many records there are at most. */
  readonly records: number
  readonly steps: readonly OrderStep[]
  /** The last number, as it was before anything was sorted: what comes meanwhile has a place, or a greater number. */
  readonly frozenNumber: number
}

async function sortAll(
  { recordScanner, rowOrders }: Pick<ReadTx, 'recordScanner' | 'rowOrders'>,
  { schema, ordering }: FreezeInput,
): Promise<Freezing> {
  const most = limits.recordsFrozen
  const frozenNumber = await recordScanner.lastNumber(schema)
  // Each number is one record's at most: only where there are more of them it has to be looked how many have one.
  const areFew = frozenNumber <= most
  const records = areFew ? frozenNumber : await recordScanner.count(schema, most + 1, 'withDeleted')
  if (records > most) {
    throw invalidAt([], `the order of at most ${most} records can be frozen`)
  }
  return { records, steps: await rowOrders.steps(schema, ordering), frozenNumber }
}

/** Refuses an order that is gone: its table was deleted, or it took longer than an order may be in the making. */
async function requireOrder(
  { rowOrders }: Pick<WriteTx, 'rowOrders'>,
  baseId: string,
  orderId: string,
): Promise<void> {
  if (await rowOrders.exists(baseId, orderId)) return
  throw new DomainError(
    'conflict',
    'The table was deleted, or saving its order took too long: try again',
  )
}

import type { RecordQuery } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findPeople, noteUsers } from '../find-people.ts'
import type { StoredRecord } from '../stored-record.ts'
import { becomeLongIfMany } from './become-long-if-many.ts'
import { type NotedPositions, positionOf } from './evaluate-query.ts'
import { findInOrder } from './find-in-order.ts'

/** How many records stand before one in what a query finds, which it is part of; perhaps in the order of ids. */
export async function indexOfRecord(
  tx: ReadTx,
  schema: TableSchema,
  query: RecordQuery,
  record: StoredRecord,
  inOrder?: readonly string[],
): Promise<number> {
  if (inOrder) {
    const found = await findInOrder(tx, schema, query.condition, inOrder)
    return found.findIndex(({ id }) => id === record.id)
  }
  await becomeLongIfMany(tx, schema, query.condition)
  const userIds = new Set<string>()
  for (const { field } of query.keys) noteUsers(field, [record], userIds)
  const people = await findPeople(tx, userIds)
  const noted = await notedPositions(tx, schema, query.rowOrder, record.autoNumber)
  const position = positionOf(record, query.keys, people, noted)
  return tx.recordFinder.countBefore(schema, query, position)
}

/** What the row order, if there is one, notes of a record. */
async function notedPositions(
  { rowOrders }: Pick<ReadTx, 'rowOrders'>,
  { baseId }: TableSchema,
  order: RowOrder | undefined,
  autoNumber: number,
): Promise<NotedPositions | undefined> {
  if (!order) return undefined
  const noted = await rowOrders.notedOf(baseId, order.id, [autoNumber])
  return new Map([...noted].map(([number, { position }]) => [number, position]))
}

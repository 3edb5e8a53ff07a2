import type { QueryPosition, RecordQuery } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { type NotedPositions, positionOf } from '../evaluation/evaluate-query.ts'
import { findPeople, noteUsers } from '../reading/find-people.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** Where a record stands in the order of a query now, whether or not that finds it. */
export async function placeOf(
  tx: ReadTx,
  schema: TableSchema,
  { keys, rowOrder }: Pick<RecordQuery, 'keys' | 'rowOrder'>,
  record: StoredRecord,
): Promise<QueryPosition> {
  const userIds = new Set<string>()
  for (const { field } of keys) noteUsers(field, [record], userIds)
  const people = await findPeople(tx, userIds)
  const noted = await notedPositions(tx, schema, rowOrder, record.autoNumber)
  return positionOf(record, keys, people, noted)
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

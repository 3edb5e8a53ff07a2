import type { RecordQuery } from '../../queries/record-query.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { becomeLongIfMany } from '../reading/become-long-if-many.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { findInOrder } from './find-in-order.ts'
import { placeOf } from './place-of.ts'

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
  const position = await placeOf(tx, schema, query, record)
  return tx.recordFinder.countBefore(schema, query, position)
}

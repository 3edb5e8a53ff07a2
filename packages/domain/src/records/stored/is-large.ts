import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { type RecordRoom, sizeWithin } from './size-within.ts'

/** Whether the table has more records, including deleted ones, or longer ones, than one write may process. */
export async function isLarge(
  tx: Pick<ReadTx, 'recordScanner' | 'recordSizes'>,
  schema: TableSchema,
): Promise<boolean> {
  const room: RecordRoom = { records: limits.recordsCalculated, bytes: limits.bytesCalculated }
  return (await sizeWithin(tx, schema, room, 'withDeleted')) === undefined
}

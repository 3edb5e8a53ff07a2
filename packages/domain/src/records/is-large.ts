import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** Whether the table has more records, deleted ones included, than one write goes through. */
export async function isLarge(
  tx: Pick<ReadTx, 'recordScanner'>,
  schema: TableSchema,
): Promise<boolean> {
  const most = limits.recordsCalculated
  return (await tx.recordScanner.count(schema, most + 1, 'withDeleted')) > most
}

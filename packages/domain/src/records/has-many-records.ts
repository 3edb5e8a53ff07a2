import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** Whether a table has so many records, or had, that what goes through all of them is a long write. */
export async function hasManyRecords(tx: ReadTx, schema: TableSchema): Promise<boolean> {
  return (await tx.recordScanner.lastNumber(schema)) > limits.recordsChangedAtOnce
}

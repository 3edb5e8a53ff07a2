import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** Whether a table has, or had, so many records that a write to all of them is a long write. */
export async function hasManyRecords(tx: ReadTx, schema: TableSchema): Promise<boolean> {
  return (await tx.recordScanner.lastNumber(schema)) > limits.recordsChangedAtOnce
}

import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { NumberRange } from './number-range.ts'

/**
 * Does something to all records of a table, deleted ones too, range by range: others have their turn in
 * between, though the transaction stays open.
 */
export async function byRange(
  tx: ReadTx,
  schema: TableSchema,
  work: (range: NumberRange) => Promise<void>,
): Promise<void> {
  const last = await tx.recordScanner.lastNumber(schema)
  for (let after = 0; after < last; after += limits.recordsPerCalculation) {
    await work({ after, until: Math.min(last, after + limits.recordsPerCalculation) })
    await tx.giveWay()
  }
}

import { isConverting } from '../../fields/field-values.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/**
 * Notes which cells rows write in fields that are being converted, also those that are emptied though they
 * look empty still: what was there before must not come back.
 */
export async function noteWritten(
  tx: WriteTx,
  schema: TableSchema,
  existing: readonly StoredRecord[],
  rows: readonly CellPatch[],
): Promise<void> {
  for (const { field, column } of schema.columns) {
    if (!isConverting(field)) continue
    const written = existing.filter((_, index) => rows[index]?.[column.index] !== undefined)
    const numbers = written.map(({ autoNumber }) => autoNumber)
    await tx.calculations.noteWritten([field.id], numbers)
  }
}

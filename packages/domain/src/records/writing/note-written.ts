import { isConverting } from '../../fields/field-values.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/**
 * Notes which cells rows write in fields that are being converted, also those that are emptied though they
 * look empty still: what was there before must not come back.
 */
export async function noteWritten(
  { tx, undo }: Pick<RecordsContext, 'tx' | 'undo'>,
  schema: TableSchema,
  existing: readonly StoredRecord[],
  rows: readonly CellPatch[],
): Promise<void> {
  for (const schemaField of schema.columns) {
    const { field, column } = schemaField
    if (!isConverting(field)) continue
    const written = existing.filter((_, index) => rows[index]?.[column.index] !== undefined)
    if (undo && (await areLost(tx, schemaField, written))) {
      undo.noteFinal(`"${field.name}" was being converted, and what a cell held before is gone`)
    }
    const numbers = written.map(({ autoNumber }) => autoNumber)
    await tx.calculations.noteWritten([field.id], numbers)
  }
}

/**
 * Whether values may be lost that cells held before the conversion: of records that it hasn't come to, and that look empty, where
 * it keeps no values for whoever undoes it.
 */
async function areLost(
  tx: WriteTx,
  { field: { id, tableId }, column }: ColumnField,
  written: readonly StoredRecord[],
): Promise<boolean> {
  const empty = written.filter(({ cells }) => (cells[column.index] ?? null) === null)
  if (empty.length === 0) return false
  const found = (await tx.calculations.conversionsOf(tableId)).find(({ fieldId }) => fieldId === id)
  if (!found || found.keepsSource || found.source.id !== id) return false
  const pending = (await tx.calculations.listOf([tableId])).find(({ fieldId }) => fieldId === id)
  return empty.some(({ autoNumber: number }) => {
    return pending !== undefined && number > pending.after && number <= pending.until
  })
}

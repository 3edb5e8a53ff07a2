import { later } from '../clock.ts'
import type { RecordsContext } from '../records/reading/records-context.ts'
import { mapInTurns } from '../records/showing/map-in-turns.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import { trimPeriodMs } from './history-jobs.ts'
import { notedFields, toCellChanges } from './to-cell-change.ts'

/**
 * Notes what a write made of records: those before it, and as they are now, in the same order. Does nothing where
 * no history is kept. What follows from cells, or was found in other records, is not noted.
 */
export async function noteHistory(
  { tx, table, now, userId, keepsHistory }: RecordsContext,
  schema: TableSchema,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<void> {
  if (!keepsHistory || before.length === 0) return
  const fields = notedFields(schema)
  const timeMs = Date.parse(now)
  const all = await mapInTurns(tx, after, ({ id, autoNumber, version, cells }, index) => {
    const changes = toCellChanges(fields, before[index]?.cells ?? [], cells)
    return { timeMs, autoNumber, version, recordId: id, userId, changes }
  })
  const noted = all.filter(({ changes }) => changes.length > 0)
  if (noted.length > 0) await tx.history.add(table, noted, later(now, trimPeriodMs))
}

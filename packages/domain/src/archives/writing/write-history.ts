import { toTimestamp } from '../../clock.ts'
import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { AttachmentItem } from '../../fields/types/attachment.ts'
import type { CellChange, HistoryPlace, RecordHistory } from '../../history/history-entry.ts'
import { limits } from '../../limits.ts'
import { findRecords } from '../../records/reading/scan-records.ts'
import type { ReadTx } from '../../store.ts'
import type { ArchiveWriter } from '../format/archive-writer.ts'
import { type ArchiveSource, requireAsWritten, type WrittenTable } from './archive-source.ts'
import { type ArchivedTables, isLeadingOut } from './archived-fields.ts'
import { purgedOf } from './trash-of-archive.ts'

const newest = Number.MAX_SAFE_INTEGER

/** What people changed in those records and fields of a table that are in the archive, the newest first. */
export async function* linesOfHistory(
  source: ArchiveSource,
  writer: ArchiveWriter,
  { table, tables }: { readonly table: WrittenTable; readonly tables: ArchivedTables },
): AsyncGenerator<string> {
  const { baseId, id } = table.table
  const known = new Set(
    table.schema.fields
      .filter(({ field }) => !table.leftOut.has(field.id) && !isLeadingOut(field, tables))
      .map(({ field }) => field.id),
  )
  const most = limits.historyLookedThrough
  let from: HistoryPlace = { timeMs: newest, autoNumber: newest, version: newest }
  let isBegun = false
  for (;;) {
    const { histories, there } = await source.read(async (tx) => {
      await requireAsWritten(source, tx, table)
      const histories = await tx.history.list({ id, baseId }, { sinceMs: 0, from, most })
      return { histories, there: await recordsThere(source, tx, table, histories) }
    })
    let text = ''
    for (const history of histories) {
      const changes = history.changes.filter(({ fieldId }) => known.has(fieldId))
      if (!there.has(history.recordId) || changes.length === 0) continue
      if (!isBegun) text += writer.said('history', { table: id })
      isBegun = true
      text += writer.cells(toArchivedChange({ ...history, changes }))
    }
    yield text
    const last = histories.at(-1)
    if (!last || histories.length < most) return
    from = { ...last, version: last.version - 1 }
  }
}

/** The records that live, or lie in an entry of the trash where that comes along. */
async function recordsThere(
  { includeTrash }: ArchiveSource,
  tx: Pick<ReadTx, 'records' | 'trash'>,
  { schema }: WrittenTable,
  histories: readonly RecordHistory[],
): Promise<ReadonlySet<string>> {
  const named = new Set(histories.map(({ recordId }) => recordId))
  const there = new Set<string>()
  for await (const { records } of findRecords(tx, schema, named, 'none', [])) {
    for (const { id } of records) there.add(id)
  }
  if (!includeTrash) return there
  const deleted = [...named].filter((id) => !there.has(id))
  const known = await tx.records.deletionsOf(schema, deleted)
  const purged = await purgedOf(tx, schema, deleted)
  for (const id of known.keys()) if (!purged.has(id)) there.add(id)
  return there
}

/** A change of a record as a list: what it was of, when and by whom, then each cell that became another. */
function toArchivedChange(history: RecordHistory): readonly unknown[] {
  const { recordId, autoNumber, timeMs, version, userId, changes } = history
  const cells = changes.map(({ index: _, ...change }) => withoutPaths(change))
  return [recordId, autoNumber, toTimestamp(timeMs), version, userId, ...cells]
}

/** Where files are is no part of an archive. */
function withoutPaths(change: CellChange): CellChange {
  if (!typeOf(change).files) return change
  const left = (cell: Cell | null) =>
    cell && (cell as readonly AttachmentItem[]).map(({ path: _, ...item }) => item)
  return { ...change, before: left(change.before), after: left(change.after) }
}

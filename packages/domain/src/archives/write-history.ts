import { toTimestamp } from '../clock.ts'
import type { Cell } from '../fields/cell.ts'
import { typeOf } from '../fields/field-values.ts'
import type { AttachmentItem } from '../fields/types/attachment.ts'
import type { CellChange, HistoryPlace, RecordHistory } from '../history/history-entry.ts'
import { limits } from '../limits.ts'
import { findRecords } from '../records/scan-records.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import {
  type ArchiveSource,
  changedMeanwhile,
  isAsWritten,
  type WrittenTable,
} from './archive-source.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import { type ArchivedTables, isLeadingOut } from './archived-fields.ts'

const newest = Number.MAX_SAFE_INTEGER

/** What people changed in living records and fields of a table, the newest first. */
export async function* linesOfHistory(
  { read }: ArchiveSource,
  writer: ArchiveWriter,
  { table, tables }: { readonly table: WrittenTable; readonly tables: ArchivedTables },
): AsyncGenerator<string> {
  const { baseId, id } = table.table
  const known = new Set(
    table.schema.fields
      .filter(({ field }) => !isLeadingOut(field, tables))
      .map(({ field }) => field.id),
  )
  const most = limits.historyLookedThrough
  let from: HistoryPlace = { timeMs: newest, autoNumber: newest, version: newest }
  let isBegun = false
  for (;;) {
    const { histories, living } = await read(async (tx) => {
      const [now] = await tx.tables.findAll([id], 'none')
      if (!(await isAsWritten(tx, table, now))) throw changedMeanwhile()
      const histories = await tx.history.list({ id, baseId }, { sinceMs: 0, from, most })
      return { histories, living: await livingOf(tx, table.schema, histories) }
    })
    let text = ''
    for (const history of histories) {
      const changes = history.changes.filter(({ fieldId }) => known.has(fieldId))
      if (!living.has(history.recordId) || changes.length === 0) continue
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

async function livingOf(
  tx: Parameters<typeof findRecords>[0],
  schema: TableSchema,
  histories: readonly RecordHistory[],
): Promise<ReadonlySet<string>> {
  const named = new Set(histories.map(({ recordId }) => recordId))
  const living = new Set<string>()
  for await (const { records } of findRecords(tx, schema, named, 'none', [])) {
    for (const { id } of records) living.add(id)
  }
  return living
}

/** A change of a record as a list: what it was of, when and by whom, then each cell that became another. */
function toArchivedChange(history: RecordHistory): readonly unknown[] {
  const { recordId, autoNumber, timeMs, version, userId, changes } = history
  return [recordId, autoNumber, toTimestamp(timeMs), version, userId, ...changes.map(withoutPaths)]
}

/** Where files are is no part of an archive. */
function withoutPaths(change: CellChange): CellChange {
  if (!typeOf(change).files) return change
  const left = (cell: Cell | null) =>
    cell && (cell as readonly AttachmentItem[]).map(({ path: _, ...item }) => item)
  return { ...change, before: left(change.before), after: left(change.after) }
}

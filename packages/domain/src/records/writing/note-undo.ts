import { notedFields } from '../../history/to-cell-change.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { ChangedCell, RecordPart, UndoStep } from '../../undo/undo-step.ts'
import { filledCells, writtenCell } from '../filled-cells.ts'
import { isSameCell } from '../is-same-cell.ts'
import type { RecordsContext } from '../records-context.ts'
import type { StoredRecord } from '../stored-record.ts'

/** Notes what a write made of records for who may want to undo it: without records before it, they are new. */
export async function noteUndo(
  context: RecordsContext,
  schema: TableSchema,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<void> {
  const fields = notedFields(schema)
  if (before.length === 0) {
    const toPart = (record: StoredRecord) => filledCells(fields, record)
    await noteParts(context, after, toPart, (records) => ({ kind: 'creation', records }))
  } else {
    const toPart = (record: StoredRecord, index: number) =>
      changedCells(fields, before[index] ?? record, record)
    await noteParts(context, after, toPart, (records) => ({ kind: 'cells', records }))
  }
}

/** Ends where there is no more room: what is too much is not looked at to its end. */
async function noteParts<Item>(
  { tx, undo }: RecordsContext,
  records: readonly StoredRecord[],
  toCells: (record: StoredRecord, index: number) => readonly Item[],
  toStep: (parts: readonly RecordPart<Item>[]) => UndoStep,
): Promise<void> {
  if (!undo) return
  const parts: RecordPart<Item>[] = []
  for (const [index, record] of records.entries()) {
    const part = { id: record.id, cells: toCells(record, index) }
    if (!undo.takeRoom(part)) return
    parts.push(part)
    await tx.giveWay()
  }
  undo.note(toStep(parts))
}

function changedCells(
  fields: readonly ColumnField[],
  before: StoredRecord,
  after: StoredRecord,
): readonly ChangedCell[] {
  return fields.flatMap((schemaField) => {
    const { field, column } = schemaField
    const [was, is] = [before.cells[column.index] ?? null, after.cells[column.index] ?? null]
    if (isSameCell(was, is)) return []
    return [[field.id, writtenCell(schemaField, was), writtenCell(schemaField, is)] as const]
  })
}

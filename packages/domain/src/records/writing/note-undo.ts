import { isExclusive } from '../../fields/link-end.ts'
import { notedFields } from '../../history/to-cell-change.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { ChangedCell, LostLink, RecordPart, UndoStep } from '../../undo/undo-step.ts'
import { filledCells, writtenCell } from '../filled-cells.ts'
import { isSameCell } from '../is-same-cell.ts'
import type { RecordsContext } from '../records-context.ts'
import type { StoredRecord } from '../stored-record.ts'

/** A record whose cells may have links. */
type LinkingCells = Pick<StoredRecord, 'id' | 'cells'>

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
    const links = await findLostLinks(context, schema, before, after)
    if (links.length > 0 && !context.undo?.takeRoom(links)) return
    const ofLinks = links.length > 0 ? { links } : {}
    await noteParts(context, after, toPart, (records) => ({ kind: 'cells', records, ...ofLinks }))
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

/** The links that cells lose by a write, before they are gone, of fields that show them at the other end in an order. */
export async function findLostLinks(
  { tx }: Pick<RecordsContext, 'tx'>,
  { columns }: TableSchema,
  before: readonly LinkingCells[],
  after: readonly LinkingCells[],
): Promise<readonly LostLink[]> {
  const found: LostLink[] = []
  for (const { field, link, column } of columns) {
    if (!link || link.symmetricFieldId === undefined || isExclusive(link.end.relationship)) continue
    const idsIn = ({ cells }: LinkingCells) => {
      const cell = cells[column.index] ?? null
      return cell === null ? [] : link.capability.recordIds(cell)
    }
    const lost = new Map<string, ReadonlySet<string>>()
    for (const [index, record] of after.entries()) {
      const was = new Set(before[index] && idsIn(before[index]))
      const gone = was.size === 0 ? was : was.difference(new Set(idsIn(record)))
      if (gone.size > 0) lost.set(record.id, gone)
    }
    for (const { recordId, foreignId, place } of await tx.links.placed(link.end, [
      ...lost.keys(),
    ])) {
      if (lost.get(recordId)?.has(foreignId)) found.push([field.id, recordId, foreignId, place])
    }
    await tx.giveWay()
  }
  return found
}

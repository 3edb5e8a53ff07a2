import { isExclusive } from '../../fields/link-end.ts'
import { notedFields } from '../../history/to-cell-change.ts'
import { choicesNamedBy } from '../../schemas/choice-names.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import type { ChangedCell, FilledCell, LostLink, RecordPart } from '../../undo/undo-step.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { filledCells, writtenCell } from '../stored/filled-cells.ts'
import { isSameCell } from '../stored/is-same-cell.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { digestHeldRecords } from './digest-records.ts'

/** A record whose cells may have links. */
type LinkingCells = Pick<StoredRecord, 'id' | 'cells'>

/** Notes what a write made of records for who may want to undo it: without records before it, they are new. */
export async function noteUndo(
  context: RecordsContext,
  schema: TableSchema,
  before: readonly StoredRecord[],
  after: readonly StoredRecord[],
): Promise<void> {
  if (before.length === 0) return noteCreation(context, schema, after)
  const { tx, undo } = context
  const links = await findLostLinks(context, schema, before, after)
  if (!undo || (links.length > 0 && !undo.takeRoom(links))) return
  const fields = notedFields(schema)
  const parts: RecordPart<ChangedCell>[] = []
  for (const [index, record] of after.entries()) {
    const part = { id: record.id, cells: changedCells(fields, before[index] ?? record, record) }
    // Ends where there is no more room: what is too much is not looked at to its end.
    if (!undo.takeRoom(part)) return
    parts.push(part)
    await tx.giveWay()
  }
  const values = parts.flatMap(({ cells }) =>
    cells.map(([fieldId, was, is]) => [fieldId, [was, is].flat()] as const),
  )
  const choices = choicesNamedBy(values, schema)
  if (choices.length > 0 && !undo.takeRoom(choices)) return
  undo.note({
    ...{ kind: 'cells', records: parts },
    ...(links.length > 0 && { links }),
    ...(choices.length > 0 && { choices }),
  })
}

/** Notes what new records hold, or a digest of it where that takes too much room. */
async function noteCreation(
  { tx, undo }: RecordsContext,
  schema: TableSchema,
  records: readonly StoredRecord[],
): Promise<void> {
  if (!undo) return
  const fields = notedFields(schema)
  const parts: RecordPart<FilledCell>[] = []
  let length = 0
  for (const record of records) {
    const part = { id: record.id, cells: filledCells(fields, record) }
    length += JSON.stringify(part).length
    if (!undo.hasRoom(length)) {
      const digest = await digestHeldRecords(tx, schema, records)
      const ids = records.map(({ id }) => id)
      undo.noteTrash({ kind: 'addition', of: 'record', ids, digest })
      return
    }
    parts.push(part)
    await tx.giveWay()
  }
  const choices = choicesNamedBy(
    parts.flatMap(({ cells }) => cells),
    schema,
  )
  if (choices.length > 0 && !undo.takeRoom(choices)) return
  const named = choices.length > 0 ? { choices } : {}
  if (undo.takeLength(length)) undo.note({ kind: 'creation', records: parts, ...named })
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

import type { StoredFile } from '../../attachments/attachment-repository.ts'
import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import { requireKnownCells } from '../../fields/operations/require-converted.ts'
import type { PlacesByField } from '../../links/change-links.ts'
import { lockRecords } from '../../records/reading/lock-records.ts'
import { isSameCell } from '../../records/stored/is-same-cell.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import { findLostLinks } from '../../records/undo/note-undo.ts'
import { Change } from '../../records/writing/change.ts'
import { writeRecords } from '../../records/writing/write-records.ts'
import { toNamesOfToday } from '../../schemas/choice-names.ts'
import type { ColumnField, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { CellsStep, ChangedCell, LostLink } from '../undo-step.ts'
import { holdFiles } from './hold-files.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/**
 * Gives cells back what they held before they were changed, or what they were changed to; links stand at the other end where
 * they stood. Returns the step as it is then.
 */
export async function applyCells(
  context: UndoContext,
  step: CellsStep,
  direction: UndoDirection,
): Promise<CellsStep> {
  requireAction(context, 'record|update')
  const { tx, table } = context
  const { records: parts, links: _, ...rest } = step
  const schema = await tx.fields.schemaOf(table)
  const fieldIds = new Set(parts.flatMap(({ cells }) => cells.map(([fieldId]) => fieldId)))
  requireKnownCells([...fieldIds].flatMap((id) => schema.byKey.id.get(id) ?? []))
  const locked = await lockRecords(
    { tx, table },
    parts.map(({ id }) => id),
  )
  const today = toNamesOfToday(step.choices ?? [], schema)
  const after: Pick<StoredRecord, 'id' | 'cells'>[] = []
  const lostFiles = new Map<string, Set<string>>()
  const rows = parts.map(({ id, cells }, index) => {
    const record = locked[index]
    const fields: Record<string, unknown> = {}
    let wantedCells = record?.cells ?? []
    for (const [fieldId, ...states] of cells as readonly ChangedCell[]) {
      const [before, changed] = states.map((state) => today(fieldId, state))
      const schemaField = writableField(schema, fieldId)
      const [expected, wanted] = direction === 'undo' ? [changed, before] : [before, changed]
      const held = record?.cells[schemaField.column.index] ?? null
      if (!isSameValue(schemaField, held, expected)) {
        throw movedOn(`The cell of "${schemaField.field.name}" in the record "${id}"`)
      }
      fields[fieldId] = wanted
      noteLostFiles(lostFiles, schemaField, held, wanted as Cell | null)
      wantedCells = wantedCells.with(schemaField.column.index, wanted as Cell | null)
    }
    after.push({ id, cells: wantedCells })
    return { fields }
  })
  const lost = await findLostLinks(context, schema, locked, after)
  const places = placesOf(step.links ?? [])
  const storedFiles = await holdLostFiles(context, lostFiles, step.spaceId)
  const writing = { ...context, storedFiles }
  const options = { fieldKeyType: 'id', typecast: false, setsPresses: true, places } as const
  await writeRecords(writing, new Change(locked), rows, { ...options, pathOf: () => [] })
  return { ...rest, records: parts, ...(lost.length > 0 && { links: lost }) }
}

/** Notes the files that a cell is to have again, and hasn't now, under the name of its field. */
function noteLostFiles(
  lost: Map<string, Set<string>>,
  { field }: SchemaField,
  held: Cell | null,
  wanted: Cell | null,
): void {
  const { files } = typeOf(field)
  if (!files) return
  const here = new Set(files.tokens(held))
  const ofField = lost.get(field.name) ?? new Set()
  lost.set(field.name, ofField)
  for (const token of files.tokens(wanted)) if (!here.has(token)) ofField.add(token)
}

/** Keeps such files from being removed. Returns those that belong to another space by now; throws conflict where one is gone. */
async function holdLostFiles(
  context: UndoContext,
  lost: ReadonlyMap<string, ReadonlySet<string>>,
  leftIn: string | undefined,
): Promise<ReadonlyMap<string, StoredFile>> {
  const elsewhere = new Map<string, StoredFile>()
  for (const [name, tokens] of lost) {
    const found = await holdFiles(context, { fieldName: name, leftIn }, tokens)
    for (const [token, file] of found) elsewhere.set(token, file)
  }
  return elsewhere
}

function placesOf(links: readonly LostLink[]): PlacesByField {
  const byField = Map.groupBy(links, ([fieldId]) => fieldId)
  return new Map(
    [...byField].map(([fieldId, lost]) => [
      fieldId,
      lost.map(([, recordId, foreignId, place]) => ({ recordId, foreignId, place })),
    ]),
  )
}

function writableField(schema: TableSchema, fieldId: string): ColumnField {
  const schemaField = schema.byKey.id.get(fieldId)
  const { column } = schemaField ?? {}
  if (!schemaField?.isWritable || !column) throw movedOn(`The field "${fieldId}"`)
  return { ...schemaField, column }
}

/** Whether a cell holds what is expected. Linked records are the same whatever their titles are by now. */
export function isSameValue(schemaField: SchemaField, held: unknown, expected: unknown): boolean {
  if (!schemaField.link) return isSameCell(held as Cell | null, expected as Cell | null)
  return isSameCell(idsOf(held), idsOf(expected))
}

function idsOf(cell: unknown): readonly unknown[] {
  return [cell ?? []].flat().map((item) => (item as { readonly id?: unknown }).id ?? item)
}

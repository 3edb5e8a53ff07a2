import type { Cell } from '../../fields/cell.ts'
import { requireKnownCells } from '../../fields/operations/require-converted.ts'
import type { PlacesByField } from '../../links/change-links.ts'
import { isSameCell } from '../../records/is-same-cell.ts'
import { lockRecords } from '../../records/lock-records.ts'
import { Change } from '../../records/writing/change.ts'
import { writeRecords } from '../../records/writing/write-records.ts'
import type { ColumnField, SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { CellsStep, ChangedCell, LostLink } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/** Gives cells back what they held before they were changed, or what they were changed to. */
export async function applyCells(
  context: UndoContext,
  { records: parts, links = [] }: CellsStep,
  direction: UndoDirection,
): Promise<void> {
  requireAction(context, 'record|update')
  const { tx, table } = context
  const schema = await tx.fields.schemaOf(table)
  const fieldIds = new Set(parts.flatMap(({ cells }) => cells.map(([fieldId]) => fieldId)))
  requireKnownCells([...fieldIds].flatMap((id) => schema.byKey.id.get(id) ?? []))
  const locked = await lockRecords(
    { tx, table },
    parts.map(({ id }) => id),
  )
  const rows = parts.map(({ id, cells }, index) => {
    const record = locked[index]
    const fields: Record<string, unknown> = {}
    for (const [fieldId, before, after] of cells as readonly ChangedCell[]) {
      const schemaField = writableField(schema, fieldId)
      const [expected, wanted] = direction === 'undo' ? [after, before] : [before, after]
      const held = record?.cells[schemaField.column.index] ?? null
      if (!isSameValue(schemaField, held, expected)) {
        throw movedOn(`The cell of "${schemaField.field.name}" in the record "${id}"`)
      }
      fields[fieldId] = wanted
    }
    return { fields }
  })
  const options = { fieldKeyType: 'id', typecast: false, pathOf: () => [] } as const
  // What redo links comes last at the other end, as it did the first time.
  const places = direction === 'undo' ? placesOf(links) : new Map()
  await writeRecords(context, new Change(locked), rows, { ...options, places })
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

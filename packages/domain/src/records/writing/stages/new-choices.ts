import { typeOf } from '../../../fields/field-values.ts'
import {
  noOptionsRoom,
  roomBeside,
  settingsLength,
} from '../../../fields/operations/definition/options-room.ts'
import { rederive } from '../../../fields/operations/derivation/rederive.ts'
import type { SchemaField } from '../../../schemas/table-schema.ts'
import { RowIssues } from '../../input/row-issues.ts'
import type { CellPatch } from '../../stored/cell-patch.ts'
import type { ReadRows, RecordWrite } from '../record-write.ts'

/**
 * Adds the choices that leniently read cells name and their fields don't have yet; the graph holds the
 * schema that the cells fit then. Refuses cells whose choice finds no room.
 */
export async function addMissingChoices(
  { context, graph, options: locator }: RecordWrite,
  { loaded: { schema }, rows }: ReadRows,
): Promise<void> {
  const { tx, table, ids, now, userId } = context
  const issues = new RowIssues(locator)
  // Of the options of all fields: what there is, and what the choices take of it.
  let room: number | undefined
  let added = 0
  const changed: { tableId: string; fieldId: string }[] = []
  for (const schemaField of schema.columns) {
    const { field, isWritable } = schemaField
    if (!isWritable) continue
    const missing = missingIn(schemaField, field.options, rows)
    if (missing.size === 0) continue
    const names = [...new Set([...missing.values()].flat())]
    const options = typeOf(field).choices?.add(field.options, names, ids)
    const after = { ...field, options }
    added += settingsLength(after) - settingsLength(field)
    room ??= roomBeside(schema, '')
    if (added > room) {
      for (const row of missing.keys()) {
        issues.add(row, schemaField, `names a new choice: ${noOptionsRoom()}`)
      }
    }
    for (const row of missingIn(schemaField, options, rows).keys()) {
      issues.add(
        row,
        schemaField,
        'names a new choice, but the field has as many choices as it may have',
      )
    }
    issues.throwIfAny()
    await tx.fields.update(table, field, after)
    const payload = { tableId: table.id, fieldId: field.id }
    tx.emit({ name: 'field.updated', time: now, userId, payload })
    changed.push({ tableId: table.id, fieldId: field.id })
  }
  if (changed.length === 0) return
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  // No cell changes by that, but lookups show the choices of what they read.
  await rederive(context, graph, changed)
}

/** The names in the column's cells for which the options have no choice, by row. */
function missingIn(
  { field, column }: SchemaField,
  options: unknown,
  rows: readonly CellPatch[],
): ReadonlyMap<number, readonly string[]> {
  const missing = new Map<number, readonly string[]>()
  const { choices } = typeOf(field)
  if (!choices || !column) return missing
  rows.forEach((row, index) => {
    const cell = row[column.index]
    const names = cell === null || cell === undefined ? [] : choices.missing(options, cell)
    if (names.length > 0) missing.set(index, names)
  })
  return missing
}

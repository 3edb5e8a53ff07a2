import { type Cell, nobody, type People, Refusal } from '../../../fields/cell.ts'
import { isComputed, typeOf } from '../../../fields/field-values.ts'
import { pressesOf } from '../../../fields/types/button.ts'
import { findRowTargets, type RowTargets } from '../../../links/find-targets.ts'
import type { SchemaField, TableSchema } from '../../../schemas/table-schema.ts'
import type { RecordInput } from '../../input/record-input.ts'
import { type IssueLocator, RowIssues } from '../../input/row-issues.ts'
import { unknownField } from '../../input/unknown-field.ts'
import { findCollaborators } from '../../reading/find-collaborators.ts'
import { mapInTurns } from '../../showing/map-in-turns.ts'
import type { StoredRecord } from '../../stored/stored-record.ts'
import type { ReadRows, RowReading } from '../record-write.ts'

/**
 * Reads what a caller sent into cells. Values for computed fields are ignored; a key that names no field is
 * `not_found`; every other value that can't be a cell, or would be lost as its field has an error, is an issue of
 * one validation_error.
 */
export async function readRows(
  { context, graph, options, strategy }: RowReading,
  sent: readonly RecordInput[],
): Promise<ReadRows> {
  const { tx, base, now } = context
  const loaded = await graph.put(context.table)
  const { schema } = loaded
  const people = namesPeople(schema, sent, options) ? await findCollaborators(tx, base) : nobody
  const targets = options.typecast
    ? await findRowTargets(context, graph, schema, sent, options.fieldKeyType)
    : noTargets
  const issues = new RowIssues(options)
  const byKey = schema.byKey[options.fieldKeyType]
  const rows = await mapInTurns(tx, sent, ({ fields }, index) => {
    const record = strategy.existing[index]
    const row: (Cell | null | undefined)[] = new Array(schema.columns.length).fill(undefined)
    for (const key of Object.keys(fields)) {
      const schemaField = byKey.get(key)
      if (!schemaField) {
        throw unknownField(schema, options, index, key)
      }
      const { column, rules, isWritable } = schemaField
      const value = fields[key]
      if (!column || value === undefined) continue
      if (!isWritable) {
        if (isOutOfOrder(schemaField) && !isNothing(value)) {
          issues.add(index, schemaField, outOfOrder)
        }
        continue
      }
      const cell = options.typecast
        ? rules.cast(value, {
            people,
            now,
            held: heldIn(schemaField, record),
            ...targets.get(schemaField),
          })
        : rules.parse(value)
      if (cell instanceof Refusal) issues.add(index, schemaField, cell.message)
      else if (record && typeOf(schemaField.field).isPressed && !options.setsPresses) {
        const presses = changedPresses(value, cell, record.cells[column.index])
        if (presses instanceof Refusal) issues.add(index, schemaField, presses.message)
        else row[column.index] = presses
      } else if (!namesOnlyPeople(schemaField, cell, people, record)) {
        issues.add(index, schemaField, 'must name collaborators of the base')
      } else row[column.index] = cell
    }
    return row
  })
  issues.throwIfAny()
  return { loaded, rows }
}

/** The present value of a cell; of a link that is pending none is known, since its cell may show earlier links. */
function heldIn({ column, link, field }: SchemaField, record: StoredRecord | undefined) {
  const isEarlier = link !== undefined && field.isPending
  return column === undefined || isEarlier ? null : (record?.cells[column.index] ?? null)
}

const noTargets: RowTargets = new Map()

/** Whether callers could write the cells if the field had no error, such as a link whose table is gone. */
function isOutOfOrder({ field }: SchemaField): boolean {
  return field.hasError && !isComputed(field)
}

const outOfOrder =
  'must be empty or left out: the field has an error, because the table that it links to was deleted'

const notFilledIn = new Refusal('must be left out: a button is pressed, not filled in')

/**
 * What a button holds after a change that sends a value, which was read as the cell: cleared by nothing and by 0, else refused;
 * undefined where it stays, by the same count, and by what is read as no count at all.
 */
function changedPresses(
  value: unknown,
  cell: Cell | null,
  held: Cell | null | undefined,
): Cell | null | undefined | Refusal {
  const isNoCount = cell === null && value !== null
  const [presses, before] = [pressesOf(cell), pressesOf(held)]
  if (isNoCount || presses === before) return undefined
  return presses === 0 ? cell : notFilledIn
}

/** Whether the value empties a cell whatever the type of its field. */
function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Whether a sent value goes into a field that names people: only then are they looked up. */
function namesPeople(
  schema: TableSchema,
  sent: readonly RecordInput[],
  { fieldKeyType }: IssueLocator,
): boolean {
  return schema.columns.some(
    ({ rules, isWritable, field }) =>
      rules.userIds !== undefined &&
      isWritable &&
      sent.some(({ fields }) => (fields[field[fieldKeyType]] ?? null) !== null),
  )
}

/** Whether the cell names collaborators alone, or people whom the cell of the record names already. */
function namesOnlyPeople(
  { rules, column }: SchemaField,
  cell: Cell | null,
  people: People,
  record: StoredRecord | undefined,
): boolean {
  if (cell === null || !rules.userIds) return true
  const strangers = rules.userIds(cell).filter((id) => people.name(id) === undefined)
  if (strangers.length === 0) return true
  const known = column && record?.cells[column.index]
  const knownIds = new Set(known === null || known === undefined ? [] : rules.userIds(known))
  return strangers.every((id) => knownIds.has(id))
}

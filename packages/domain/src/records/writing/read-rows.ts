import type { Base } from '../../bases/base.ts'
import type { Timestamp } from '../../clock.ts'
import { notFound } from '../../errors.ts'
import { type Cell, nobody, type People, Refusal } from '../../fields/cell.ts'
import type { FindTargets } from '../../links/find-targets.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findCollaborators } from '../find-collaborators.ts'
import { mapInTurns } from '../map-in-turns.ts'
import type { RecordInput, Row } from '../record-change.ts'
import { type IssueLocator, RowIssues } from '../row-issues.ts'
import type { StoredRecord } from '../stored-record.ts'

/** How sent values are to be read. */
export interface Reading extends IssueLocator {
  /** Whether values are read leniently. */
  readonly typecast: boolean
}

/** What rows are read with. */
export interface RowReader {
  readonly tx: ReadTx
  readonly base: Base
  readonly now: Timestamp
  /** The records that lenient reading may find by what the rows say, by link field. */
  readonly findTargets: FindTargets
}

/**
 * Reads what a caller sent into cells. Values for computed fields are passed over; a key that names no
 * field is `not_found`; every other value that can't be a cell is an issue of one validation_error.
 * `changed` are the records that the rows change, in the same order; none for records that are new.
 */
export async function readRows(
  { tx, base, now, findTargets }: RowReader,
  schema: TableSchema,
  sent: readonly RecordInput[],
  reading: Reading,
  changed?: readonly StoredRecord[],
): Promise<Row[]> {
  const people = namesPeople(schema, sent, reading) ? await findCollaborators(tx, base) : nobody
  const targets = reading.typecast ? await findTargets(schema, sent, reading) : noTargets
  const issues = new RowIssues(reading)
  const rows = await mapInTurns(tx, sent, ({ fields }, index) => {
    const row: Row = new Array(schema.columns.length).fill(undefined)
    const byKey = schema.byKey[reading.fieldKeyType]
    for (const key of Object.keys(fields)) {
      const schemaField = byKey.get(key)
      if (!schemaField) {
        const path = [...reading.pathOf(index), 'fields', key.slice(0, 80)]
        throw notFound(`field with the ${reading.fieldKeyType}`, key, path)
      }
      const { column, rules, isWritable } = schemaField
      const value = fields[key]
      if (!column || !isWritable || value === undefined) continue
      const context = { people, now, ...targets.get(schemaField) }
      const cell = reading.typecast ? rules.cast(value, context) : rules.parse(value)
      if (cell instanceof Refusal) issues.add(index, schemaField, cell.message)
      else if (!namesOnlyPeople(schemaField, cell, people, changed?.[index])) {
        issues.add(index, schemaField, 'must name collaborators of the base')
      } else row[column.index] = cell
    }
    return row
  })
  issues.throwIfAny()
  return rows
}

const noTargets: Awaited<ReturnType<FindTargets>> = new Map()

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
  const held = column && record?.cells[column.index]
  const heldIds = new Set(held === null || held === undefined ? [] : rules.userIds(held))
  return strangers.every((id) => heldIds.has(id))
}

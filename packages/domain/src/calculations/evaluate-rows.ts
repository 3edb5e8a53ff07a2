import type { Timestamp } from '../clock.ts'
import { assert } from '../errors.ts'
import type { ComputationInputs, LinkedCell } from '../fields/derivation/computation.ts'
import type { Cell, People } from '../fields/field-type.ts'
import type { SchemaField, TableSchema } from '../fields/table-schema.ts'
import { cellOf } from '../records/cell-of.ts'
import { findPeople, noteUsers } from '../records/find-people.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { ReadTx } from '../store.ts'
import { linkedCells, readSources, type Sources } from './read-sources.ts'
import type { SchemaGraph } from './schema-graph.ts'
import type { StepBudget } from './step-budget.ts'

/** A record whose computed cells are worked out in place. */
export interface WorkRow extends Omit<StoredRecord, 'cells'> {
  readonly cells: (Cell | null)[]
}

/** The moment of a calculation, where the tables that it reads come from, and what it may take. */
export interface Evaluator {
  readonly tx: ReadTx
  readonly graph: SchemaGraph
  readonly now: Timestamp
  readonly budget: StepBudget
}

/** How far an evaluation came: all the way, unless its budget was spent before. */
export interface Evaluated {
  /** How many of the rows were worked out, from the first on; at least one if there are any. */
  readonly rowCount: number
  /** The fields that were worked out in them: not all, where a single row was too much. */
  readonly fields: readonly SchemaField[]
}

/** Steps after which others may have their turn: well below a millisecond of work. */
const stepsPerTurn = 10_000

/** Steps that preparing a row takes, roughly. */
const stepsPerRow = 5

/**
 * Works out the fields for the rows, in their order, and puts the cells into the rows, until the budget is
 * spent; later rows can have some of the cells then. Every other cell that the fields depend on is in the
 * rows already; a link in them tells which records are linked.
 */
export async function evaluateRows(
  evaluator: Evaluator,
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
): Promise<Evaluated> {
  for (let start = 0, take = rows.length; start < rows.length; ) {
    const together = rows.slice(start, start + take)
    const sources = await readSources(evaluator, schema, fields, together)
    if (!sources) {
      take = Math.ceil(together.length / 2)
      continue
    }
    const { rowCount, fields: worked } = await evaluateTogether(
      { ...evaluator, sources },
      schema,
      fields,
      together,
    )
    if (worked.length < fields.length && start > 0) return { rowCount: start, fields }
    if (rowCount < together.length || worked.length < fields.length) {
      return { rowCount: start + rowCount, fields: worked }
    }
    start += rowCount
    if (evaluator.budget.isSpent) return { rowCount: start, fields }
  }
  return { rowCount: rows.length, fields }
}

/** The same for rows whose sources are at hand. */
async function evaluateTogether(
  { tx, budget, now, sources }: Evaluator & { readonly sources: Sources },
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
): Promise<Evaluated> {
  const people = await peopleIn(tx, schema, fields, rows, sources)
  const spend = (steps: number) => budget.spend(steps)
  let turnEnd = budget.spent + stepsPerTurn
  const works = fields.map(({ field, computation, column }) => {
    assert(computation && column, `the field ${field.id} is computed`)
    return { computation, index: column.index, source: sources.get(field.id) }
  })
  for (const [rowIndex, row] of rows.entries()) {
    const formulaRow = toFormulaRow(schema, row, now, people)
    const idsByLink = new Map<SchemaField, readonly string[]>()
    spend(stepsPerRow)
    for (const [position, { computation, index, source }] of works.entries()) {
      const linked = source ? linkedCells(source, row, idsByLink) : noLinks
      spend(1 + linked.length)
      const inputs = { row: formulaRow, people, source: source?.field, linked, spend }
      row.cells[index] = computation.evaluate(inputs)
      if (budget.spent >= turnEnd) {
        await tx.giveWay()
        turnEnd = budget.spent + stepsPerTurn
      }
      if (!budget.isSpent) continue
      const worked = position + 1
      if (worked === works.length) return { rowCount: rowIndex + 1, fields }
      if (rowIndex > 0) return { rowCount: rowIndex, fields }
      return { rowCount: 1, fields: fields.slice(0, worked) }
    }
  }
  return { rowCount: rows.length, fields }
}

const noLinks: readonly LinkedCell[] = []

function toFormulaRow(
  schema: TableSchema,
  row: WorkRow,
  now: Timestamp,
  people: People,
): ComputationInputs['row'] {
  const fields = schema.byKey.id
  return {
    now,
    recordId: row.id,
    autoNumber: row.autoNumber,
    createdTime: row.createdTime,
    lastModifiedTime: row.lastModifiedTime,
    cell: (fieldId) => {
      const schemaField = fields.get(fieldId)
      const cell = schemaField ? cellOf(schemaField, row) : null
      if (cell === null || !schemaField) return null
      const { toFormula } = schemaField.rules
      return toFormula ? toFormula(cell, people) : (cell as never)
    },
  }
}

/** The names of the people whom the fields read, looked up once for all rows. */
async function peopleIn(
  tx: ReadTx,
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
  sources: Sources,
): Promise<People> {
  const ids = new Set<string>()
  for (const { field, computation } of fields) {
    for (const id of computation?.ownFieldIds ?? []) {
      const read = schema.byKey.id.get(id)
      if (read) noteUsers(read, rows, ids)
    }
    const source = sources.get(field.id)
    if (source) noteUsers(source.field, source.records.values(), ids)
  }
  return findPeople(tx, ids)
}

import type { Timestamp } from '../clock.ts'
import { assert } from '../errors.ts'
import type { ComputationInputs, LinkedCell } from '../fields/derivation/computation.ts'
import type { Cell, People } from '../fields/field-type.ts'
import type { Column, SchemaField, TableSchema } from '../fields/table-schema.ts'
import { limits } from '../limits.ts'
import { cellOf } from '../records/cell-of.ts'
import { findPeople, noteUsers } from '../records/find-people.ts'
import { findRecords } from '../records/scan-records.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { ReadTx } from '../store.ts'
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
  if (fields.length === 0) return { rowCount: rows.length, fields }
  let done = 0
  for (let most = rows.length; done < rows.length; ) {
    const some = done === 0 && most === rows.length ? rows : rows.slice(done, done + most)
    const sources = await readSources(evaluator, schema, fields, some)
    if (!sources) {
      most = Math.ceil(some.length / 2)
      continue
    }
    const evaluated = await evaluateWith(evaluator, schema, fields, some, sources)
    if (evaluated.fields !== fields) return done === 0 ? evaluated : { rowCount: done, fields }
    done += evaluated.rowCount
    if (evaluator.budget.isSpent) break
  }
  return { rowCount: done, fields }
}

/** Does it with all that the rows read through links. */
async function evaluateWith(
  evaluator: Evaluator,
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
  sources: ReadonlyMap<string, Source>,
): Promise<Evaluated> {
  const { tx, budget } = evaluator
  const people = await peopleIn(tx, schema, fields, rows, sources)
  const spend = (steps: number) => budget.spend(steps)
  let turnEnd = budget.spent + stepsPerTurn
  const works = fields.map(({ field, computation, column }) => {
    assert(computation && column, `the field ${field.id} is computed`)
    return { computation, index: column.index, source: sources.get(field.id) }
  })
  for (const [rowIndex, row] of rows.entries()) {
    const formulaRow = toFormulaRow(schema, row, evaluator.now, people)
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

/** What a field reads through a link: the field of the linked table, and the records there. */
interface Source {
  readonly link: SchemaField
  readonly field: SchemaField
  readonly records: ReadonlyMap<string, StoredRecord>
}

/**
 * Reads what the fields need of linked records: one query per link. Undefined when that is more than is
 * held at once; of what a single row needs, the rest is left out.
 */
async function readSources(
  { tx, graph }: Evaluator,
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
): Promise<ReadonlyMap<string, Source> | undefined> {
  const sources = new Map<string, Source>()
  let size = 0
  const byLink = Map.groupBy(
    fields.filter(({ computation }) => computation?.through),
    ({ computation }) => computation?.through?.linkFieldId ?? '',
  )
  for (const [linkFieldId, reading] of byLink) {
    const link = schema.byKey.id.get(linkFieldId)
    const foreign = link?.link && (await graph.find(link.link.foreignTableId))
    if (!link || !foreign) continue
    const read = reading.map((one) => ({
      fieldId: one.field.id,
      source: foreign.schema.byKey.id.get(one.computation?.through?.fieldId ?? ''),
    }))
    const columns = read.flatMap(({ source }): Column[] => (source?.column ? [source.column] : []))
    const ids = new Set(rows.flatMap((row) => linkedIds(link, row)))
    const records = new Map<string, StoredRecord>()
    const batches = findRecords(tx, foreign.schema, ids, 'none', [...new Set(columns)])
    for await (const batch of batches) {
      size += batch.size
      if (size > limits.recordsLengthPerRequest) {
        if (rows.length > 1) return undefined
        break
      }
      for (const record of batch.records) records.set(record.id, record)
    }
    for (const { fieldId, source } of read) {
      if (source) sources.set(fieldId, { link, field: source, records })
    }
  }
  return sources
}

function linkedIds({ link, column }: SchemaField, row: WorkRow): readonly string[] {
  const cell = column ? (row.cells[column.index] ?? null) : null
  return cell === null || !link ? [] : link.ability.recordIds(cell)
}

/** A record that is gone by now is linked to nobody. What a link leads to is looked up once per row. */
function linkedCells(
  { link, field, records }: Source,
  row: WorkRow,
  idsByLink: Map<SchemaField, readonly string[]>,
): readonly LinkedCell[] {
  const known = idsByLink.get(link)
  const ids = known ?? linkedIds(link, row)
  if (!known) idsByLink.set(link, ids)
  const linked: LinkedCell[] = []
  for (const recordId of ids) {
    const record = records.get(recordId)
    if (record) linked.push({ recordId, cell: cellOf(field, record) })
  }
  return linked
}

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
  sources: ReadonlyMap<string, Source>,
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

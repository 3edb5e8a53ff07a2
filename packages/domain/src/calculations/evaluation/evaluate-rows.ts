import type { Timestamp } from '../../clock.ts'
import { assert } from '../../errors.ts'
import type { Cell, People } from '../../fields/cell.ts'
import type { EvaluateCell, LinkedCell } from '../../fields/computed/computation.ts'
import type { FormulaRow } from '../../formulas/runtime/evaluation.ts'
import { limits } from '../../limits.ts'
import { findPeople, noteUsers } from '../../records/reading/find-people.ts'
import { cellOf } from '../../records/stored/cell-of.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { LinkedRows, readSources, type Source, type Sources } from './read-sources.ts'
import { type StepBudget, stepsPerTurn } from './step-budget.ts'

/** A record into which its computed cells are written. */
export interface WorkRow extends Omit<StoredRecord, 'cells'> {
  readonly cells: (Cell | null)[]
}

/** The moment of a calculation, where the tables that it reads come from, and what it may take. */
export interface Evaluator {
  readonly tx: ReadTx
  readonly graph: SchemaGraph
  readonly now: Timestamp
  readonly budget: StepBudget
  /**
   * Characters, roughly, of linked records that are read at a time where rows need no more each; what is read
   * counts as steps then. As many as a request may hold, and uncounted, where this is left out.
   */
  readonly sourceLength?: number
}

/** How far an evaluation came: all the way, unless its budget was spent before. */
export interface Evaluated {
  /** How many of the rows were computed, from the first on; at least one if there are any. */
  readonly rowCount: number
  /** The fields that were computed in them: not all, where a single row was too much. */
  readonly fields: readonly SchemaField[]
}

/** Compiled formulas of more bytes take a noticeable time: others have their turn after each. */
const bytesOfLongFormula = 100_000

/** Bytes of a compiled formula that are made in the time that a step takes, roughly: a microsecond is 200. */
const compiledBytesPerStep = 2

/** How many groups of fields are as much as all compiled formulas that are kept. */
const groupsKept = 4

/** Steps that preparing a row takes, roughly. */
const stepsPerRow = 5

/**
 * Computes the fields for the rows, in their order, and puts the cells into the rows, until the budget is
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
    const found = await readSources(evaluator, schema, fields, together)
    if (!found) {
      take = Math.ceil(together.length / 2)
      continue
    }
    const { sources, size, steps } = found
    const { rowCount, fields: worked } = await evaluateTogether(
      { ...evaluator, sources },
      schema,
      fields,
      together,
    )
    // Counted at its end: what was read is used for as many rows as there are steps for.
    evaluator.budget.spend(evaluator.sourceLength === undefined ? steps : steps + size)
    if (worked.length < fields.length && start > 0) return { rowCount: start, fields }
    if (rowCount < together.length || worked.length < fields.length) {
      return { rowCount: start + rowCount, fields: worked }
    }
    start += rowCount
    if (evaluator.budget.isSpent) return { rowCount: start, fields }
  }
  return { rowCount: rows.length, fields }
}

/** Rows are computed whose sources, and people whom they name, are at hand. */
interface Batch extends Evaluator {
  readonly sources: Sources
  readonly people: People
}

/**
 * Evaluates so many fields for all rows as memory should hold ready at the same time, then the next ones:
 * each formula is compiled once for all rows, also where not all of them are kept.
 */
async function evaluateTogether(
  evaluator: Evaluator & { readonly sources: Sources },
  schema: TableSchema,
  fields: readonly SchemaField[],
  rows: readonly WorkRow[],
): Promise<Evaluated> {
  const { tx, sources, budget } = evaluator
  const batch = { ...evaluator, people: await peopleIn(tx, schema, fields, rows, sources) }
  const groups = inGroups(fields)
  const [only] = groups
  if (only && groups.length === 1) {
    return evaluateReady(batch, schema, await makeReady(batch, only), rows)
  }
  const done: SchemaField[] = []
  for (const group of groups) {
    const evaluated = await evaluateReady(batch, schema, await makeReady(batch, group), rows)
    // A later group that isn't whole waits for the next time, with those after it.
    if (evaluated.rowCount < rows.length || evaluated.fields.length < group.length) {
      return done.length > 0 ? { rowCount: rows.length, fields: done } : evaluated
    }
    done.push(...group)
    // Counted at its end: what was compiled is used for as many rows as there are steps for.
    budget.spend(bytesOf(group) / compiledBytesPerStep)
    if (budget.isSpent) break
  }
  return { rowCount: rows.length, fields: done }
}

function bytesOf(fields: readonly SchemaField[]): number {
  return fields.reduce((sum, { computation }) => sum + (computation?.compiledBytes ?? 0), 0)
}

/** The fields in their order: in one group where what is compiled for them is kept, else in small ones. */
function inGroups(fields: readonly SchemaField[]): readonly (readonly SchemaField[])[] {
  const most = limits.compiledFormulaBytes
  if (bytesOf(fields) <= most) return [fields]
  const groups: SchemaField[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const field of fields) {
    const { compiledBytes = 0 } = field.computation ?? {}
    if (bytes + compiledBytes > most / groupsKept) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(field)
    bytes += compiledBytes
  }
  return groups
}

interface ReadyField {
  readonly schemaField: SchemaField
  readonly evaluate: EvaluateCell
  readonly index: number
  readonly source: Source | undefined
  /** The column of the link, where a cell follows from it alone: records that share that cell share this one. */
  readonly linkIndex: number | undefined
  /** The link that a cell was computed from last, what the cell is, and the steps that it took. */
  last: { readonly link: Cell; readonly cell: Cell | null; readonly steps: number } | undefined
}

/** The column of the link that all cells of the field follow from, of whatever record. */
function linkIndexOf({ computation }: SchemaField, source: Source | undefined): number | undefined {
  if (!source || !computation || computation.reads.size > 0) return undefined
  const isFromLinkAlone = computation.ownFieldIds.every((id) => id === source.link.field.id)
  return isFromLinkAlone ? source.link.column?.index : undefined
}

/** Compiles what isn't yet. */
async function makeReady(
  { tx, sources }: Batch,
  fields: readonly SchemaField[],
): Promise<readonly ReadyField[]> {
  const ready: ReadyField[] = []
  for (const schemaField of fields) {
    const { field, computation, column } = schemaField
    assert(computation && column, `the field ${field.id} is computed`)
    const evaluate = computation.ready()
    const source = sources.get(field.id)
    const linkIndex = linkIndexOf(schemaField, source)
    ready.push({ schemaField, evaluate, index: column.index, source, linkIndex, last: undefined })
    if (computation.compiledBytes > bytesOfLongFormula) await tx.giveWay()
  }
  return ready
}

/** Evaluates fields that are ready. */
async function evaluateReady(
  { tx, budget, now, people }: Batch,
  schema: TableSchema,
  works: readonly ReadyField[],
  rows: readonly WorkRow[],
): Promise<Evaluated> {
  const fields = works.map(({ schemaField }) => schemaField)
  const spend = (steps: number) => budget.spend(steps)
  let turnEnd = budget.spent + stepsPerTurn
  const links = new LinkedRows()
  const formulaRow = new RowOfFormula(schema, now, people)
  // Counted, not by entries(): that would make a list for each of thousands of cells.
  let rowIndex = -1
  for (const row of rows) {
    rowIndex++
    formulaRow.show(row)
    spend(stepsPerRow)
    let worked = 0
    for (const work of works) {
      worked++
      const { evaluate, index, source, linkIndex, last } = work
      const link = linkIndex === undefined ? null : (row.cells[linkIndex] ?? null)
      if (last && link === last.link) {
        spend(last.steps)
        row.cells[index] = last.cell
      } else {
        const before = budget.spent
        const linked = source ? links.cells(source, row) : noLinks
        spend(1 + linked.length)
        const inputs = { row: formulaRow.row, people, source: source?.field, linked, spend }
        const cell = evaluate(inputs)
        row.cells[index] = cell
        if (link !== null) work.last = { link, cell, steps: budget.spent - before }
      }
      if (budget.spent >= turnEnd) {
        await tx.giveWay()
        turnEnd = budget.spent + stepsPerTurn
      }
      if (!budget.isSpent) continue
      if (worked === works.length) return { rowCount: rowIndex + 1, fields }
      if (rowIndex > 0) return { rowCount: rowIndex, fields }
      return { rowCount: 1, fields: fields.slice(0, worked) }
    }
  }
  return { rowCount: rows.length, fields }
}

const noLinks: readonly LinkedCell[] = []

/** Shows formulas one row after another, by the same object: a formula keeps none. */
class RowOfFormula {
  readonly row: { -readonly [Name in keyof FormulaRow]: FormulaRow[Name] }
  #shown: WorkRow | undefined

  constructor({ byKey }: TableSchema, now: Timestamp, people: People) {
    const fields = byKey.id
    this.row = {
      now,
      recordId: '',
      autoNumber: 0,
      createdTime: '',
      lastModifiedTime: null,
      cell: (fieldId) => {
        const schemaField = fields.get(fieldId)
        const cell = schemaField && this.#shown ? cellOf(schemaField, this.#shown) : null
        if (cell === null || !schemaField) return null
        const { toFormula } = schemaField.rules
        return toFormula ? toFormula(cell, people) : (cell as never)
      },
    }
  }

  show(shown: WorkRow): void {
    const { row } = this
    this.#shown = shown
    row.recordId = shown.id
    row.autoNumber = shown.autoNumber
    row.createdTime = shown.createdTime
    row.lastModifiedTime = shown.lastModifiedTime
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

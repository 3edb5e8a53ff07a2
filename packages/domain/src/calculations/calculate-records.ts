import type { Cell } from '../fields/cell.ts'
import { addOrAwait, type WritesUnderWay } from '../records/background/writes-under-way.ts'
import type { RecordChange } from '../records/record-writer.ts'
import { isSameCell } from '../records/stored/is-same-cell.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { SchemaGraph } from '../schemas/schema-graph.ts'
import type { Column, ColumnField, SchemaField } from '../schemas/table-schema.ts'
import type { TableContext } from '../tables/table-context.ts'
import {
  type Evaluated,
  type Evaluator,
  evaluateRows,
  type WorkRow,
} from './evaluation/evaluate-rows.ts'
import { readMembers } from './evaluation/read-members.ts'
import type { StepBudget } from './evaluation/step-budget.ts'
import type { GatheredChanges } from './gathered-changes.ts'
import type { Stage } from './stages/plan-stages.ts'

/** Records whose computed cells are computed together. */
export interface Batch {
  /** With the cells of `columnsRead`. Their cells are replaced in place, so nobody else may hold these objects. */
  readonly records: readonly StoredRecord[]
  /** Whether the cells of the link field are to be read from the stored links, because those have changed. */
  isDirtyLink(fieldId: string): boolean
  readonly budget: StepBudget
  /** Whether cells stay empty that the storage has no room for; where this is left out, they are refused. */
  readonly mayLeaveOut?: boolean
  /** Bytes that a record takes as it is stored, on average, where that was measured before they were read. */
  readonly bytesPerRecord?: number | undefined
  /** Stores the changes together with those of other batches; without it they are stored at once. */
  readonly gathered?: GatheredChanges | undefined
  /** Takes the storing of the changes, which isn't waited for then. */
  readonly writes?: WritesUnderWay | undefined
}

/** How far a batch was computed. */
interface CalculatedBatch extends Evaluated {
  /** The records whose cell changed, by field. */
  readonly changed: ReadonlyMap<string, readonly string[]>
  /** The records of which at least one cell changed. */
  readonly touched: readonly string[]
}

/**
 * Computes the fields of a stage for records, and stores the cells that changed. Ends where the budget does. The records must
 * be locked before anything is read that their cells are computed from: of two writers, the later one then sees what the
 * earlier one wrote.
 */
export async function calculateRecords(
  { tx, now, sourceLength }: Pick<TableContext, 'tx' | 'now'> & Pick<Evaluator, 'sourceLength'>,
  graph: SchemaGraph,
  { schema, fields }: Pick<Stage, 'schema' | 'fields'>,
  { records, isDirtyLink, budget, mayLeaveOut = false, gathered, writes, bytesPerRecord }: Batch,
): Promise<CalculatedBatch> {
  // In place: to copy thousands of records would take as long as all else.
  const rows = records as readonly WorkRow[]
  const before = new Map(fields.map((field) => [field, cellsBefore(field, rows)] as const))
  const spentBefore = budget.spent
  await readMembers(
    tx,
    fields.filter(({ field, link }) => link && isDirtyLink(field.id)),
    rows,
    graph,
  )
  const evaluated = await evaluateRows(
    { tx, graph, now, budget, ...(sourceLength !== undefined && { sourceLength }) },
    schema,
    fields,
    rows,
  )
  const written = evaluated.fields.filter(
    (field): field is ColumnField => field.column !== undefined,
  )
  const changes: RecordChange[] = []
  const touched: string[] = []
  const targets = written.map((schemaField) => ({
    field: schemaField.field,
    place: schemaField.column.index,
    old: before.get(schemaField) ?? [],
    ids: [] as string[],
    isSame: sameCellTest(),
  }))
  let values: RecordChange['values'] = []
  rows.slice(0, evaluated.rowCount).forEach((row, index) => {
    let isTouched = false
    for (const { place, old, ids, isSame } of targets) {
      if (isSame(old[index] ?? null, row.cells[place] ?? null)) continue
      ids.push(row.id)
      isTouched = true
    }
    if (!isTouched) return
    touched.push(row.id)
    const { autoNumber, bytes = bytesPerRecord } = row
    values = valuesOf(written, row.cells, values)
    changes.push({ autoNumber, bytes, values })
  })
  if (changes.length > 0) {
    const columns = written.map(({ column }) => column)
    if (gathered) await gathered.add(columns, changes, budget.spent - spentBefore)
    else {
      const storing = tx.recordWriter.setCells(schema, columns, changes, { mayLeaveOut })
      await addOrAwait(writes, storing)
    }
  }
  const changed = new Map(targets.map(({ field, ids }) => [field.id, ids]))
  return { ...evaluated, changed, touched }
}

/** The cells of a field before they are computed, in the order of the records. */
function cellsBefore({ column }: SchemaField, rows: readonly WorkRow[]): readonly (Cell | null)[] {
  return column ? rows.map(({ cells }) => cells[column.index] ?? null) : []
}

/** Compares cells of one record after another; records that share both cells are compared once. */
function sameCellTest(): (before: Cell | null, after: Cell | null) => boolean {
  let [lastBefore, lastAfter]: (Cell | null)[] = [null, null]
  let isSame = true
  return (before, after) => {
    if (before === lastBefore && after === lastAfter) return isSame
    isSame = isSameCell(before, after)
    lastBefore = before
    lastAfter = after
    return isSame
  }
}

/** The cells of a record to write. Where the record before has the very same, its list, so that storages see that they are shared. */
function valuesOf(
  written: readonly ColumnField[],
  cells: readonly (Cell | null)[],
  last: readonly (Cell | null)[],
): readonly (Cell | null)[] {
  const values = written.map(({ column }) => cells[column.index] ?? null)
  return values.length === last.length && values.every((value, i) => value === last[i])
    ? last
    : values
}

/** The columns that the fields of a stage are computed from, and their own. */
export function columnsRead({
  schema,
  fields,
}: Pick<Stage, 'schema' | 'fields'>): readonly Column[] {
  const read = fields.flatMap((field) => [
    field,
    ...(field.computation?.ownFieldIds.map((id) => schema.byKey.id.get(id)) ?? []),
  ])
  return [...new Set(read.flatMap((field): Column[] => (field?.column ? [field.column] : [])))]
}

/** What the fields of a stage are computed from beside cells: `all`, where they need more of a record than its id and number. */
export function partsRead({ schema, fields }: Pick<Stage, 'schema' | 'fields'>): 'all' | 'keys' {
  const isOfRecord = (id: string) => schema.byKey.id.get(id)?.systemColumn !== undefined
  const readsMore = fields.some(
    ({ computation }) =>
      computation && (computation.reads.size > 0 || computation.ownFieldIds.some(isOfRecord)),
  )
  return readsMore ? 'all' : 'keys'
}

import type { Cell } from '../fields/cell.ts'
import { isSameCell } from '../records/stored/is-same-cell.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { LoadedTable, SchemaGraph } from '../schemas/schema-graph.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import { type Evaluator, evaluateRows, type WorkRow } from './evaluation/evaluate-rows.ts'
import { changedWithEveryRecord, dependentsIn } from './stages/dependents.ts'
import { orderFields } from './stages/order-fields.ts'
import { type Origin, planStages, type Stage } from './stages/plan-stages.ts'

/** What follows from a write to records of one table. */
export interface WritePlan {
  /** The fields of the written records that can be computed before they are stored, in order. */
  readonly before: readonly SchemaField[]
  /** The ids of fields that are computed in all of the written records after they are stored. */
  readonly dirty: readonly string[]
  /** All that is computed after they are stored. */
  readonly after: readonly Stage[]
}

const nothingFollows: WritePlan = { before: [], dirty: [], after: [] }

/** Whether nothing can follow from a write to the table: most tables are like that. */
function isPlain({ fields, inboundTableIds }: TableSchema): boolean {
  return inboundTableIds.length === 0 && fields.every(({ computation }) => !computation)
}

/** What follows when records are changed in the fields. */
export async function planUpdate(
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
  changed: readonly SchemaField[],
): Promise<WritePlan> {
  if (isPlain(schema) || changed.length === 0) return nothingFollows
  const { onEveryChange } = dependentsIn(schema)
  const changedIds = [...changed, ...onEveryChange].map(({ field }) => field.id)
  const stages = await planStages(graph, [
    {
      tableId: table.id,
      changed: [...changedIds, ...changedWithEveryRecord(schema)],
      dirty: [],
    },
    ...symmetricOrigins(changed),
  ])
  const isBefore = (stage: Stage) => stage.level === 0 && stage.table.id === table.id
  const before = stages.find(isBefore)?.fields ?? []
  return {
    before: orderFields([...new Set([...before, ...onEveryChange])]),
    dirty: [],
    after: stages.filter((stage) => !isBefore(stage)),
  }
}

/** What follows when records are added. */
export async function planInsert(
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
): Promise<WritePlan> {
  if (isPlain(schema)) return nothingFollows
  const onceNumbered = schema.fields.filter((field) => readsNumber(schema, field))
  const entered = schema.fields.filter(({ computation, link }) => link || !computation)
  const stages = await planStages(graph, [
    {
      tableId: table.id,
      changed: entered.map(({ field }) => field.id),
      dirty: onceNumbered.map(({ field }) => field.id),
    },
    ...symmetricOrigins(entered),
  ])
  const after = stages.filter((stage) => stage.level > 0 || stage.table.id !== table.id)
  const later = new Set(after.flatMap(({ fields }) => fields.map(({ field }) => field.id)))
  const computed = schema.fields.filter(({ computation, link }) => computation && !link)
  const before = orderFields(computed.filter(({ field }) => !later.has(field.id)))
  // New records have nothing yet in what is computed later, whether or not anything of it changed.
  const ofTheirTable = after.flatMap((stage) => (stage.table.id === table.id ? stage.fields : []))
  const dirty = [...onceNumbered, ...ofTheirTable.filter(({ link }) => !link)]
  return { before, dirty: dirty.map(({ field }) => field.id), after }
}

function readsNumber({ byKey }: TableSchema, { computation }: SchemaField): boolean {
  if (!computation) return false
  if (computation.reads.has('autoNumber')) return true
  return computation.ownFieldIds.some((id) => byKey.id.get(id)?.systemColumn === 'autoNumber')
}

/** Links that change are shown from the other end, too. */
function symmetricOrigins(fields: readonly SchemaField[]): Origin[] {
  return fields.flatMap(({ link }): Origin[] =>
    link?.symmetricFieldId === undefined
      ? []
      : [{ tableId: link.foreignTableId, changed: [], dirty: [link.symmetricFieldId] }],
  )
}

/** Records that are about to be stored. */
interface ComputedBefore {
  /** In the order in which they were given. */
  readonly records: readonly StoredRecord[]
  /** How many of them, from the first on, have their computed cells; the others are left over. */
  readonly doneCount: number
}

/**
 * Computes fields of records that are about to be stored, until the budget is spent. What is left over is as
 * it was.
 */
export async function computeBefore(
  evaluator: Evaluator,
  schema: TableSchema,
  fields: readonly SchemaField[],
  records: readonly StoredRecord[],
): Promise<ComputedBefore> {
  if (fields.length === 0) return { records, doneCount: records.length }
  const rows = records.map((record): WorkRow => ({ ...record, cells: [...record.cells] }))
  const evaluated = await evaluateRows(evaluator, schema, fields, rows)
  const isWhole = evaluated.fields.length === fields.length
  const doneCount = isWhole ? evaluated.rowCount : 0
  return { records: [...rows.slice(0, doneCount), ...records.slice(doneCount)], doneCount }
}

/** Which records were changed in which field: the ids by field. */
export function changedCells(
  schema: TableSchema,
  changes: readonly {
    readonly id: string
    /** Undefined for a record that is new. */
    readonly before: readonly (Cell | null)[] | undefined
    readonly after: readonly (Cell | null)[]
  }[],
): ReadonlyMap<string, readonly string[]> {
  const changed = new Map<string, readonly string[]>()
  for (const { field, column } of schema.columns) {
    const { index } = column
    const ids = changes.flatMap(({ id, before, after }) =>
      isSameCell(before?.[index] ?? null, after[index] ?? null) ? [] : [id],
    )
    if (ids.length > 0) changed.set(field.id, ids)
  }
  return changed
}

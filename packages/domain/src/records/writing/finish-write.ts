import { calculate } from '../../calculations/calculate.ts'
import { changedWithEveryRecord } from '../../calculations/dependents.ts'
import { changedCells, type WritePlan } from '../../calculations/plan-write.ts'
import { scheduleRecords, scheduleStages } from '../../calculations/schedule-stages.ts'
import type { StepBudget } from '../../calculations/step-budget.ts'
import type { Cell } from '../../fields/cell.ts'
import { changeLinks } from '../../links/change-links.ts'
import type { LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { everyRecord } from '../every-record.ts'
import type { RecordsContext } from '../records-context.ts'
import type { IssueLocator } from '../row-issues.ts'
import { collectRecords } from '../scan-records.ts'
import type { StoredRecord } from '../stored-record.ts'

/** Records that were just written, and their cells before. */
export interface WrittenRecords {
  readonly records: readonly StoredRecord[]
  /** In the order of the records; undefined when they are new. */
  readonly before: readonly (readonly (Cell | null)[])[] | undefined
  /** How many of the records, from the first on, have what could be worked out before they were written. */
  readonly doneCount: number
  /** What working out may still take. */
  readonly budget: StepBudget
  /** Where the records stand in the request. */
  readonly places: IssueLocator
}

/**
 * Does what follows from records that were written: stores their links and brings what depends on them up
 * to date. Returns the records of the table that changed again by that.
 */
export async function finishWrite(
  context: RecordsContext,
  graph: SchemaGraph,
  place: LoadedTable,
  plan: WritePlan,
  { records, before, doneCount, budget, places }: WrittenRecords,
): Promise<ReadonlySet<string>> {
  const { tx } = context
  const { schema } = place
  const changes = records.map(({ id, cells }, index) => ({
    id,
    before: before?.[index],
    after: cells,
  }))
  const otherSide = await changeLinks(tx, place, changes, { graph, places })
  if (doneCount < records.length) {
    await scheduleStages(context, plan.after)
    await scheduleRecords(context, { ...place, fields: plan.before }, records.slice(doneCount))
    return new Set()
  }
  if (plan.after.length === 0) return new Set()
  const recordIds = records.map(({ id }) => id)
  const changed = new Map(changedCells(schema, changes))
  for (const fieldId of changedWithEveryRecord(schema)) changed.set(fieldId, recordIds)
  const dirty = new Map<string, Iterable<string> | typeof everyRecord>(otherSide)
  for (const { field } of plan.onceNumbered) dirty.set(field.id, recordIds)
  if (!before) {
    // New records have nothing yet in what is worked out later, whether or not anything of it changed.
    for (const stage of plan.after) {
      if (stage.table.id !== place.table.id) continue
      for (const { field, link } of stage.fields) if (!link) dirty.set(field.id, recordIds)
    }
  }
  const { touched } = await calculate(context, graph, plan.after, { changed, dirty, budget })
  return touched.get(place.table.id) ?? new Set()
}

/** The records, in the same order, those that changed again as they are now. */
export async function refresh(
  tx: ReadTx,
  schema: TableSchema,
  records: readonly StoredRecord[],
  changedAgain: ReadonlySet<string>,
): Promise<readonly StoredRecord[]> {
  const ids = records.flatMap(({ id }) => (changedAgain.has(id) ? [id] : []))
  if (ids.length === 0) return records
  const byId = await collectRecords(tx, schema, ids, 'none')
  return records.map((record) => byId.get(record.id) ?? record)
}

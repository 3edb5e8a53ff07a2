import { everyRecord } from '../records/every-record.ts'
import type { SchemaGraph } from '../schemas/schema-graph.ts'
import type { TableContext } from '../tables/table-context.ts'
import { type Calculated, type Changes, calculate } from './calculate.ts'
import { type Origin, planStages } from './plan-stages.ts'

/**
 * Works out computed fields for every record, and all that follows from them. One of them may be worked
 * out at once, however many records there are. All of it takes what is left of the budget, a write's when it
 * is left out.
 */
export async function calculateFields(
  context: TableContext,
  graph: SchemaGraph,
  fieldIdsByTable: ReadonlyMap<string, Iterable<string>>,
  how: Pick<Changes, 'atOnce' | 'budget'> = {},
): Promise<Calculated> {
  const origins = [...fieldIdsByTable].map(
    ([tableId, dirty]): Origin => ({ tableId, changed: [], dirty }),
  )
  const stages = await planStages(graph, origins)
  const fieldIds = [...fieldIdsByTable.values()].flatMap((ids) => [...ids])
  const dirty = new Map(fieldIds.map((id) => [id, everyRecord] as const))
  return calculate(context, graph, stages, { changed: new Map(), dirty, ...how })
}

import { everyRecord } from '../records/stored/every-record.ts'
import type { SchemaGraph } from '../schemas/schema-graph.ts'
import type { TableContext } from '../tables/table-context.ts'
import { type Calculated, type Changes, calculate } from './calculate.ts'
import { type Origin, planStages } from './stages/plan-stages.ts'

/**
 * Computes the cells of computed fields in every record, and all cells that depend on them. One of the fields may be
 * computed at once, however many records there are. The steps come out of `budget`; by default a write's.
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

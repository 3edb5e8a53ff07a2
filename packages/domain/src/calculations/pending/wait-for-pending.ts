import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { type Origin, planStages } from '../stages/plan-stages.ts'
import { readsPending } from './reads-pending.ts'
import { scheduleStages } from './schedule-stages.ts'

/**
 * Leaves those of a table's new fields that read pending ones to the background, with all that follows from
 * them. There may be no record yet that they have a value in: those that are written before the background
 * is done get values that are behind, and nothing else would bring them up to date.
 */
export async function waitForPending(
  context: TableContext,
  graph: SchemaGraph,
  { tableId, fieldIds }: { readonly tableId: string; readonly fieldIds: readonly string[] },
): Promise<void> {
  const { schema } = await graph.get(tableId)
  const dirty: string[] = []
  for (const fieldId of fieldIds) {
    const field = schema.byKey.id.get(fieldId)
    if (!field?.computation || field.field.isPending) continue
    if (await readsPending(graph, { schema, fields: [field] })) dirty.push(fieldId)
  }
  if (dirty.length === 0) return
  const origin: Origin = { tableId, changed: [], dirty }
  const changed = await scheduleStages(context, await planStages(graph, [origin]))
  for (const table of changed) await graph.put(table)
}

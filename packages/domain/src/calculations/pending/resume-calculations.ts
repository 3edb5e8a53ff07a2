import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { scheduleJob } from './calculation-job.ts'
import { scheduleStages } from './schedule-stages.ts'

/**
 * Has the background go on with what it left off when tables went to the trash, which are back: with conversions where it
 * was, with computed fields from the first record.
 */
export async function resumeCalculations(
  context: TableContext,
  tableIds: readonly string[],
): Promise<void> {
  const places = await new SchemaGraph(context.tx, 'update').load(tableIds.toSorted())
  const stages = places.map(({ table, schema }) => {
    const fields = schema.fields.filter((one) => one.field.isPending && one.computation)
    return { table, schema, fields }
  })
  await scheduleStages(context, stages)
  await resumeConversions(context, tableIds)
}

/** Has conversions that were interrupted go on: they rest while their space is in the trash. */
export async function resumeConversions(
  { tx, now }: Pick<TableContext, 'tx' | 'now'>,
  tableIds: readonly string[],
): Promise<void> {
  const pending = await tx.calculations.listOf(tableIds)
  for (const tableId of new Set(pending.map((one) => one.tableId))) {
    await scheduleJob(tx, tableId, now)
  }
}

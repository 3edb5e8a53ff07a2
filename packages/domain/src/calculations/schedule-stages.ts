import type { SchemaField } from '../fields/table-schema.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'
import { calculationKind, jobIdOf } from './calculation-job.ts'
import type { GraphTable } from './schema-graph.ts'

/** Fields of a table that are to be worked out for every record. */
export interface PendingStage extends GraphTable {
  readonly fields: readonly SchemaField[]
}

/**
 * Leaves fields to the background: they are pending until every record that there is now has been worked
 * out, whatever happens to the process meanwhile. Returns their tables as they are then.
 */
export async function scheduleStages(
  { tx, now, userId, ids }: Omit<TableContext, 'actor'>,
  stages: readonly PendingStage[],
): Promise<readonly Table[]> {
  const changed: Table[] = []
  for (const [tableId, ofTable] of Map.groupBy(stages, ({ table }) => table.id)) {
    const [first] = ofTable
    const fieldIds = ofTable.flatMap(({ fields }) => fields.map(({ field }) => field.id))
    if (!first || fieldIds.length === 0) continue
    const until = await tx.records.lastNumber(first.schema)
    await tx.calculations.schedule(
      fieldIds.map((fieldId) => ({ fieldId, tableId, after: 0, until })),
    )
    await tx.fields.setPending(fieldIds, true)
    changed.push(await tx.tables.renewSchema(tableId, ids.revision()))
    const job = { id: jobIdOf(tableId), kind: calculationKind, dueTime: now, failures: 0 }
    await tx.jobs.hasten(job)
    tx.emit({ name: 'calculation.scheduled', time: now, userId, payload: { tableId, fieldIds } })
  }
  return changed
}

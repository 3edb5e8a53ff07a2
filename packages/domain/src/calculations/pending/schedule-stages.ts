import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { LoadedTable } from '../../schemas/schema-graph.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { scheduleJob } from './calculation-job.ts'
import type { PendingField } from './calculation-repository.ts'

/** Fields of a table that are to be computed in the background. */
interface PendingStage extends LoadedTable {
  readonly fields: readonly SchemaField[]
}

type Context = Omit<TableContext, 'actor' | 'publicUrl'>

/**
 * Leaves fields to the background: they are pending until their cells have been computed in all present records, even if
 * the process ends meanwhile. Returns the tables of the fields, changed so.
 */
export async function scheduleStages(
  context: Context,
  stages: readonly PendingStage[],
): Promise<readonly Table[]> {
  const changed: Table[] = []
  for (const ofTable of Map.groupBy(stages, ({ table }) => table.id).values()) {
    const [first] = ofTable
    const fields = ofTable.flatMap((stage) => stage.fields)
    if (!first || fields.length === 0) continue
    const until = await context.tx.recordScanner.lastNumber(first.schema)
    changed.push(await schedule(context, { ...first, fields }, { after: 0, until }))
  }
  return changed
}

/** Has fields of a table computed in the background for these records, and for those whose numbers lie between theirs. */
export async function scheduleRecords(
  context: Context,
  stage: PendingStage,
  records: readonly StoredRecord[],
): Promise<void> {
  let after = Number.POSITIVE_INFINITY
  let until = 0
  for (const { autoNumber } of records) {
    after = Math.min(after, autoNumber - 1)
    until = Math.max(until, autoNumber)
  }
  const isNeeded = records.length > 0 && stage.fields.length > 0
  if (isNeeded) await schedule(context, stage, { after, until })
}

async function schedule(
  { tx, now, userId, ids }: Context,
  { table, fields }: PendingStage,
  range: Pick<PendingField, 'after' | 'until'>,
): Promise<Table> {
  const fieldIds = fields.map(({ field }) => field.id)
  const tableId = table.id
  await tx.calculations.schedule(fieldIds.map((fieldId) => ({ fieldId, tableId, ...range })))
  await tx.fields.setPending(fieldIds, true)
  const changed = await tx.tables.renewSchema(tableId, ids.revision())
  await scheduleJob(tx, tableId, now)
  tx.emit({ name: 'calculation.scheduled', time: now, userId, payload: { tableId, fieldIds } })
  return changed
}

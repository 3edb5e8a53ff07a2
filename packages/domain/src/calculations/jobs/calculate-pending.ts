import { toTimestamp } from '../../clock.ts'
import { assert } from '../../errors.ts'
import { copySlice, isCopying } from '../../fields/operations/columns/copy-pending.ts'
import { convertSlice } from '../../fields/operations/conversion/convert-pending.ts'
import type { JobContext, JobKind } from '../../jobs/job-kind.ts'
import { type LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import { calculationKind, scheduleJob, tableIdOf } from '../pending/calculation-job.ts'
import type { PendingConversion, PendingField } from '../pending/calculation-repository.ts'
import { orderFields } from '../stages/order-fields.ts'
import { computeSlice, type ReadyField } from './compute-slice.ts'

/** Computes pending fields of one table, so many records at a time. */
export const calculatePending: JobKind = {
  name: calculationKind,
  isRecurring: false,
  /** How long fields wait until they look again whether those that they depend on are ready. */
  periodMs: 500,
  run: async (context) => {
    const { tx, jobId } = context
    const tableId = tableIdOf(jobId)
    const mayConvert = (await tx.calculations.conversionsOf(tableId)).length > 0
    const graph = new SchemaGraph(tx, mayConvert ? 'update' : 'share')
    const place = await graph.find(tableId)
    const pending = await tx.calculations.listOf([tableId])
    if (!place || pending.length === 0) return endUnlessNew(context, tableId)
    const [conversion] = await tx.calculations.conversionsOf(tableId)
    if (conversion) {
      // One that came while the table wasn't held yet waits for the next time.
      return mayConvert ? convertNext(context, graph, place, conversion, pending) : 'more'
    }
    const gone = pending.filter(({ fieldId }) => !place.schema.byKey.id.get(fieldId)?.computation)
    await tx.calculations.remove(gone.map(({ fieldId }) => fieldId))
    const ready = await findReady(tx, place, pending)
    if (ready.length === 0) return gone.length > 0 ? 'more' : 'later'
    const done = await computeSlice(context, graph, place, ready)
    await finish(context, place, done)
    return 'more'
  },
}

/** Goes on with a conversion, or the copy of a field: before all that follows from it. One in a deleted space is left as it is. */
async function convertNext(
  context: JobContext,
  graph: SchemaGraph,
  place: LoadedTable,
  conversion: PendingConversion,
  pending: readonly PendingField[],
): Promise<'more' | 'over'> {
  const { fieldId } = conversion
  const { base } = (await context.tx.access.findBase(place.table.baseId, '', 'none')) ?? {}
  if (!base) return 'over'
  const progress = pending.find((one) => one.fieldId === fieldId)
  assert(progress, 'a field that is being converted is pending')
  const after = isCopying(conversion)
    ? await copySlice(context, place, conversion, progress)
    : await convertSlice(context, graph, { ...place, base }, conversion, progress)
  if (after === undefined) await finish(context, place, [fieldId])
  else await context.tx.calculations.advance([fieldId], { after, until: progress.until })
  return 'more'
}

/** Ends the job, unless fields became pending while nobody held the table. */
async function endUnlessNew({ tx }: JobContext, tableId: string): Promise<'more' | 'over'> {
  const [table] = await tx.tables.findAll([tableId], 'update')
  const pending = await tx.calculations.listOf([tableId])
  if (table && pending.length > 0) return 'more'
  // The values of a field that is being converted are kept for when its table comes back.
  const conversions = new Set((await tx.calculations.conversionsOf(tableId)).map((c) => c.fieldId))
  const fieldIds = pending.map(({ fieldId }) => fieldId)
  await tx.calculations.remove(fieldIds.filter((id) => !conversions.has(id)))
  return 'over'
}

/**
 * The pending fields that depend on no pending ones, but for such as are computed together with them
 * for the same record; each after those that it depends on.
 */
async function findReady(
  tx: JobContext['tx'],
  { schema }: LoadedTable,
  pending: readonly PendingField[],
): Promise<readonly ReadyField[]> {
  const foreignIds = schema.fields.flatMap(({ link }) => link?.foreignTableId ?? [])
  const elsewhere = await tx.calculations.listOf([...new Set([...foreignIds, schema.tableId])])
  const waitedFor = new Set(elsewhere.map(({ fieldId }) => fieldId))
  const byId = new Map(pending.map((one) => [one.fieldId, one]))
  const toSchemaField = ({ fieldId }: PendingField) => schema.byKey.id.get(fieldId) ?? []
  const ready = new Map<string, ReadyField>()
  // Each field after those that it depends on: whether they are ready is known by then.
  for (const schemaField of orderFields(pending.flatMap(toSchemaField))) {
    const { field, computation } = schemaField
    const one = byId.get(field.id)
    if (!one || !computation) continue
    if (computation.through?.fieldIds.some((id) => waitedFor.has(id))) continue
    if (!computation.ownFieldIds.every((id) => !byId.has(id) || ready.has(id))) continue
    ready.set(field.id, { schemaField, pending: one })
  }
  return [...ready.values()]
}

/** Fields are computed: they show it, and what waited for them goes on. */
async function finish(
  { tx, nowMs, ids }: JobContext,
  { table, schema }: LoadedTable,
  fieldIds: readonly string[],
): Promise<void> {
  if (fieldIds.length === 0) return
  await tx.calculations.remove(fieldIds)
  await tx.fields.setPending(fieldIds, false)
  await tx.tables.renewSchema(table.id, ids.revision())
  const now = toTimestamp(nowMs)
  const waiting = await tx.calculations.listOf(schema.inboundTableIds)
  for (const tableId of new Set(waiting.map((one) => one.tableId))) {
    await scheduleJob(tx, tableId, now)
  }
  const payload = { tableId: table.id, fieldIds }
  tx.emit({ name: 'calculation.finished', time: now, payload })
}

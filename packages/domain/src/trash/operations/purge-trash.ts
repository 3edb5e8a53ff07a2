import {
  purgeTable,
  schedulePurgeOfBase,
  schedulePurgeOfSpace,
} from '../../bases/operations/deletion/purge-base.ts'
import { type Timestamp, toTimestamp } from '../../clock.ts'
import { removeDashboard } from '../../dashboards/remove-dashboard.ts'
import { linkCapabilityOf, symmetricOf } from '../../fields/link-of.ts'
import { scheduleEmptying } from '../../fields/operations/columns/empty-columns.ts'
import { scheduleForgetting } from '../../history/forget-fields.ts'
import type { JobContext, JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { findDeletedRecords } from '../../records/reading/scan-records.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import { placeOfRecords } from '../../tables/table.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { scheduleRemovalLater } from '../../views/row-order-jobs.ts'
import type { TrashEntry, TrashedType } from '../trash-entry.ts'
import { forgetCommands } from './forget-commands.ts'

const kind = 'purge-trash'

/** Has what discarded entries name taken away in the background. */
export async function schedulePurge({
  tx,
  now,
}: {
  readonly tx: WriteTx
  readonly now: Timestamp
}): Promise<void> {
  await tx.jobs.hasten({ id: kind, kind, dueTime: now, failures: 0 })
}

/** Discards what is older than the trash keeps, the oldest first. */
export const discardOldTrash: JobKind = {
  name: 'discard-old-trash',
  isRecurring: true,
  periodMs: 60 * 60_000,
  run: async ({ tx, nowMs, settings: { trashRetentionDays: days } }) => {
    if (days === 0) return 'later'
    const before = toTimestamp(nowMs - days * dayMs)
    const most = limits.trashEntriesPerSweep
    const count = await tx.trash.discardOlder(before, most)
    if (count > 0) await schedulePurge({ tx, now: toTimestamp(nowMs) })
    return count === most ? 'more' : 'later'
  },
}

/** Takes away what discarded entries name, a bounded part at a time. */
export const purgeTrash: JobKind = {
  name: kind,
  isRecurring: false,
  isLong: true,
  periodMs: 0,
  run: async (context) => {
    const { tx, failures } = context
    // What fails must not keep others waiting: the next ones are tried meanwhile.
    const entry = (await tx.trash.nextDiscarded(failures)) ?? (await tx.trash.nextDiscarded(0))
    if (!entry) return 'over'
    if (await purgeByType[entry.resourceType](context, entry)) await tx.trash.remove(entry.id)
    return 'more'
  },
}

/** Purges a bounded part of what an entry names. Answers whether that was all. */
type Purge = (context: JobContext, entry: TrashEntry) => Promise<boolean>

const purgeByType: Readonly<Record<TrashedType, Purge>> = {
  space: async ({ tx, nowMs }, { resourceIds: [spaceId = ''] }) => {
    await tx.purge.removeSpace(spaceId)
    await schedulePurgeOfSpace({ tx, now: toTimestamp(nowMs) }, spaceId)
    return true
  },
  base: async ({ tx, nowMs }, { resourceIds: [baseId = ''] }) => {
    await tx.purge.removeBase(baseId)
    await schedulePurgeOfBase({ tx, now: toTimestamp(nowMs) }, baseId)
    return true
  },
  table: async (context, { resourceIds: [tableId = ''] }) => {
    const { tx } = context
    const table = await tx.tables.findOrTrash(tableId, 'update')
    if (table && (await purgeTable(context, table))) return false
    await tx.nodes.deleteOf(tableId)
    return true
  },
  dashboard: async ({ tx }, { resourceIds: [id = ''] }) => {
    await removeDashboard(tx, id)
    await tx.nodes.deleteOf(id)
    return true
  },
  workflow: async ({ tx }, { resourceIds: [id = ''] }) => {
    await tx.workflows.delete(id)
    await tx.nodes.deleteOf(id)
    return true
  },
  view: async ({ tx, nowMs }, { placeId: tableId, resourceIds: [viewId = ''] }) => {
    const table = await tx.tables.findOrTrash(tableId, 'share')
    const view = await tx.views.findDeleted(tableId, viewId)
    if (!table || !view) return true
    await forgetCommands(tx, tableId, [viewId])
    await tx.pluginInstalls.deleteAt(viewId)
    await tx.views.delete(viewId)
    const orderId = view.rowOrder?.id
    if (orderId === undefined) return true
    await scheduleRemovalLater(tx, { baseId: table.baseId, tableId, orderId }, nowMs)
    return true
  },
  field: async (context, { id, placeId }) => {
    const fields = await context.tx.fields.deletedOf(placeId, id)
    const others = fields.flatMap((field) => symmetricOf(field)?.tableId ?? [])
    for (const tableId of [...new Set([placeId, ...others])].toSorted()) {
      await purgeFields(context, tableId, id)
    }
    return true
  },
  record: purgeRecords,
}

async function purgeFields(
  { tx, nowMs, ids }: JobContext,
  tableId: string,
  operationId: string,
): Promise<void> {
  const table = await tx.tables.findOrTrash(tableId, 'update')
  const fields = table ? await tx.fields.deletedOf(tableId, operationId) : []
  if (!table || fields.length === 0) return
  await forgetCommands(
    tx,
    tableId,
    fields.map(({ id }) => id),
  )
  const gone = new Set(fields.map(({ id }) => id))
  const kept = await tx.keptValues.listOf(tableId)
  await tx.keptValues.remove(kept.flatMap((one) => (gone.has(one.fieldId) ? one.id : [])))
  await tx.fields.purge(table, fields)
  await scheduleForgetting(tx, table, toTimestamp(nowMs))
  for (const field of fields) {
    const end = linkCapabilityOf(field)?.endOf(field.options)
    // The field at the other end may have become something else, whose pairs are its own.
    if (end?.isOwner) await tx.links.drop(end)
  }
  await tx.tables.renewSchema(tableId, ids.revision())
  await scheduleEmptying(tx, tableId, toTimestamp(nowMs))
}

/** Some of the records, with all links that they had, what is kept of their changes, and what was said of them. */
async function purgeRecords(
  { tx }: JobContext,
  { id, placeId, resourceIds }: TrashEntry,
): Promise<boolean> {
  const table = await tx.tables.findOrTrash(placeId, 'share')
  if (!table) return true
  const some = resourceIds.slice(0, limits.trashedRecordsPurgedAtOnce)
  const numbers = await numbersOfDeleted(tx, await tx.fields.schemaOf(table), some)
  const isMore = await tx.history.removeOfRecords(table, numbers, limits.historyRemovedAtOnce)
  if (isMore) return false
  await forgetCommands(tx, table.id, some)
  const commented = { tableId: table.id, recordIds: some }
  if (await tx.comments.removeSome(commented, limits.commentsPurgedAtOnce)) return false
  for (const { end, hasPairs } of await tx.fields.linkEndsOf(table.id)) {
    if (hasPairs) await tx.links.purge(end, some)
  }
  await tx.recordWriter.purge(placeOfRecords(table), some, id)
  const left = resourceIds.slice(some.length)
  if (left.length > 0) await tx.trash.keepOnly(id, left)
  return left.length === 0
}

/** The numbers of those of the records that lie in the trash. */
async function numbersOfDeleted(
  tx: Pick<WriteTx, 'records'>,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<readonly number[]> {
  const numbers: number[] = []
  for await (const records of findDeletedRecords(tx, schema, recordIds, [])) {
    numbers.push(...records.map(({ autoNumber }) => autoNumber))
  }
  return numbers
}

import { type Timestamp, toTimestamp } from '../../../clock.ts'
import { scheduleHistoryRemoval } from '../../../history/history-jobs.ts'
import type { JobContext, JobKind } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import type { WriteTx } from '../../../store.ts'
import type { Table } from '../../../tables/table.ts'
import { scheduleRemovalOfAll } from '../../../views/row-order-jobs.ts'

const ofBase = 'purge-base'
const ofSpace = 'purge-space'

type Context = { readonly tx: WriteTx; readonly now: Timestamp }

/** Has all that was in a base purged in the background; the base itself is gone already. */
export async function schedulePurgeOfBase({ tx, now }: Context, baseId: string): Promise<void> {
  await tx.jobs.hasten({ id: `${ofBase}:${baseId}`, kind: ofBase, dueTime: now, failures: 0 })
}

/** Has all that was in a space purged in the background; the space itself is gone already. */
export async function schedulePurgeOfSpace({ tx, now }: Context, spaceId: string): Promise<void> {
  await tx.jobs.hasten({ id: `${ofSpace}:${spaceId}`, kind: ofSpace, dueTime: now, failures: 0 })
}

/** Purges what is left of a base: some rows, or one table, or the rest at a time. */
export const purgeBase: JobKind = {
  name: ofBase,
  isRecurring: false,
  isLong: true,
  periodMs: 0,
  run: async (context) =>
    (await purgeSome(context, context.jobId.slice(ofBase.length + 1))) ? 'more' : 'over',
}

/** Purges what is left of a space, base by base. */
export const purgeSpace: JobKind = {
  name: ofSpace,
  isRecurring: false,
  isLong: true,
  periodMs: 0,
  run: async (context) => {
    const { tx, jobId } = context
    const spaceId = jobId.slice(ofSpace.length + 1)
    const baseId = await tx.purge.nextBaseId(spaceId)
    // Its files go once no cell has them: a cell of another space may.
    if (baseId === undefined) return 'over'
    if (!(await purgeSome(context, baseId))) await tx.purge.removeBase(baseId)
    return 'more'
  },
}

/** A bounded part of a base. Answers whether something is left. */
async function purgeSome(
  { tx, nowMs }: Pick<JobContext, 'tx' | 'nowMs'>,
  baseId: string,
): Promise<boolean> {
  const table = await tx.purge.nextTable(baseId)
  if (!table) {
    await tx.purge.finishBase(baseId)
    return false
  }
  await purgeTable({ tx, nowMs }, table)
  return true
}

/**
 * A bounded part of a table that nobody reaches any more: some rows, or the rest of it but its node. Answers whether
 * something is left.
 */
export async function purgeTable(
  { tx, nowMs }: Pick<JobContext, 'tx' | 'nowMs'>,
  table: Table,
): Promise<boolean> {
  if (await tx.comments.removeSome({ tableId: table.id }, limits.commentsPurgedAtOnce)) return true
  const most = { records: limits.rowsPurgedAtOnce, bytes: limits.bytesPerCalculation }
  if (await tx.purge.emptySome(table, most)) return true
  const ends = await tx.fields.linkEndsOf(table.id)
  await scheduleRemovalOfAll(tx, table, nowMs)
  await scheduleHistoryRemoval(tx, table, toTimestamp(nowMs))
  await tx.tables.deletePermanently(table)
  for (const { end } of ends) await tx.links.drop(end)
  return false
}

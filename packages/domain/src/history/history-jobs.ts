import { type Timestamp, toTimestamp } from '../clock.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import { dayMs } from '../values/dates/time-zone.ts'
import type { HistoryTable } from './history-repository.ts'

/** Milliseconds between two looks at the history of one table for what is too old. */
export const trimPeriodMs = dayMs

/** Removes what is older than history is kept, of one table after another, some changes at a time. */
export const trimHistory: JobKind = {
  name: 'trim-history',
  isRecurring: true,
  periodMs: 10 * 60_000,
  run: async ({ tx, nowMs, settings }) => {
    const table = await tx.history.nextToTrim(toTimestamp(nowMs))
    if (!table) return 'later'
    // Held so that it stays; with one that is gone all of its history goes, or has gone already.
    const isThere = (await tx.tables.findOrTrash(table.id, 'share')) !== undefined
    const { recordHistoryDays: days } = settings
    // Where none is kept nothing is noted either: what is there goes, whatever its time.
    const beforeMs = days > 0 ? nowMs - days * dayMs : Number.MAX_SAFE_INTEGER
    const areMore =
      isThere && (await tx.history.removeSome(table, beforeMs, limits.historyRemovedAtOnce))
    if (!areMore) await tx.history.trimAgainAt(table, toTimestamp(nowMs + trimPeriodMs))
    return 'more'
  },
}

const ofTable = 'remove-history'

/** Has the history of a table removed in the background: the table goes for good. */
export async function scheduleHistoryRemoval(
  tx: Pick<WriteTx, 'jobs'>,
  { id, baseId }: HistoryTable,
  dueTime: Timestamp,
): Promise<void> {
  await tx.jobs.hasten({ id: `${ofTable}:${baseId}:${id}`, kind: ofTable, dueTime, failures: 0 })
}

/** Removes the history of a table that is gone, some changes at a time. */
export const removeHistory: JobKind = {
  name: ofTable,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId }) => {
    const [, baseId = '', id = ''] = jobId.split(':')
    const areMore = await tx.history.dropSome({ id, baseId }, limits.historyRemovedAtOnce)
    return areMore ? 'more' : 'over'
  },
}

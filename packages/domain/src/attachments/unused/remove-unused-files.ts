import { toTimestamp } from '../../clock.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { ensureWalk } from './ensure-walk.ts'

const hourMs = 3_600_000

/** The time before which a file must have been uploaded to be removed where nobody uses it. */
export function unusedBefore(nowMs: number): string {
  return toTimestamp(nowMs - limits.unusedFileHours * hourMs)
}

/**
 * Forgets files that no cell ever had, then bytes that no file has, and their thumbnails: nothing leads to these any more, and
 * the next sweep of the blob store (`sweepBlobs`) removes them.
 */
export const removeUnusedFiles: JobKind = {
  name: 'remove-unused-files',
  isRecurring: true,
  periodMs: hourMs,
  run: async ({ tx, nowMs }) => {
    await ensureWalk(tx, toTimestamp(nowMs))
    const before = unusedBefore(nowMs)
    const most = limits.filesPerSweep
    // An upload that began in time may still be coming in: its place goes as late as the bytes of one that broke off.
    const expired = await tx.attachments.deleteExpiredSlots(before, most)
    const unattached = await tx.attachments.removeUnattached(before, most)
    const unused = await tx.attachments.removeUnused(before, most)
    await tx.thumbnails.removeOf(unused)
    const removed = [expired, unattached, unused.length]
    return removed.some((count) => count === most) ? 'more' : 'later'
  },
}

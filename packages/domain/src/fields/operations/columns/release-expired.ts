import { toTimestamp } from '../../../clock.ts'
import type { JobKind } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import { releaseValues } from './keep-values.ts'

/** Forgets what was kept for steps of undo that can't be taken back any more. */
export const releaseExpired: JobKind = {
  name: 'release-kept-values',
  isRecurring: true,
  periodMs: 10 * 60_000,
  run: async ({ tx, nowMs }) => {
    const now = toTimestamp(nowMs)
    const most = limits.expiredRowsPerSweep
    const expired = await tx.keptValues.listExpired(now, most)
    await releaseValues({ tx, now }, expired)
    return expired.length === most ? 'more' : 'later'
  },
}

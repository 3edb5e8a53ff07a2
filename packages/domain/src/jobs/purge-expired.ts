import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { JobKind } from './job-kind.ts'

/** Removes what has expired and nobody will ask for again. */
export const purgeExpired: JobKind = {
  name: 'purge-expired',
  isRecurring: true,
  periodMs: 10 * 60_000,
  run: async ({ tx, nowMs }) => {
    const now = toTimestamp(nowMs)
    const most = limits.expiredRowsPerSweep
    const removed = [
      await tx.answers.deleteExpired(now, most),
      await tx.sessions.deleteExpired(now, most),
      await tx.attempts.deleteExpired(now, most),
      await tx.signUpCodes.deleteExpired(now, most),
      await tx.invitations.deleteExpired(now, most),
    ]
    return removed.some((count) => count === most) ? 'more' : 'later'
  },
}

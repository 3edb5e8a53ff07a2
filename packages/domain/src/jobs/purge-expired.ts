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
    // Some answers are long: how many there were to remove doesn't tell whether that was all.
    const bytes = limits.bytesPerCalculation
    const areMore = await tx.answers.deleteExpired(now, { count: most, bytes })
    const removed = [
      await tx.sessions.deleteExpired(now, most),
      await tx.attempts.deleteExpired(now, most),
      await tx.addressCodes.deleteExpired(now, most),
      await tx.invitations.deleteExpired(now, most),
      await tx.invitationLinks.deleteExpired(now, most),
      await tx.undo.deleteExpired(now, most),
      await tx.pluginGrants.deleteExpired(now, most),
      await tx.oauthGrants.deleteExpired(now, most),
    ]
    const wasImport = await tx.imports.deleteExpired(now, limits.importPiecesPerSweep)
    return areMore || wasImport || removed.some((count) => count === most) ? 'more' : 'later'
  },
}

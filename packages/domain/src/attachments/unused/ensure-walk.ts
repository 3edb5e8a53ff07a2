import type { Timestamp } from '../../clock.ts'
import type { WriteTx } from '../../store.ts'

/** The job that finds which files are still used, by walks through all cells that may have some, one after another. */
export const walkKind = 'note-used-files'

/** Has files looked for that no cell has any more, unless that goes on already. */
export async function ensureWalk(tx: Pick<WriteTx, 'jobs'>, now: Timestamp): Promise<void> {
  if (!(await tx.jobs.hasKind(walkKind))) {
    const job = { id: `${walkKind}:wait:`, kind: walkKind, dueTime: now, failures: 0 }
    await tx.jobs.hasten(job)
  }
}

import type { Timestamp } from '../../clock.ts'
import type { WriteTx } from '../../store.ts'

/** The kind of job that computes the pending fields of one table. */
export const calculationKind = 'calculate-pending'

/** The id of the job for a table. */
function jobIdOf(tableId: string): string {
  return `${calculationKind}:${tableId}`
}

/** Has the pending fields of a table computed, now. */
export async function scheduleJob(tx: WriteTx, tableId: string, now: Timestamp): Promise<void> {
  await tx.jobs.hasten({ id: jobIdOf(tableId), kind: calculationKind, dueTime: now, failures: 0 })
}

/** The table that the job with the id is for. */
export function tableIdOf(jobId: string): string {
  return jobId.slice(calculationKind.length + 1)
}

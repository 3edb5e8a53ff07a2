import type { Timestamp } from '../clock.ts'
import type { WriteTx } from '../store.ts'

/** The kind of job that writes the rows of an import. */
export const importKind = 'import-rows'

/** Has the rows of an import written, from now on. */
export async function scheduleImport(tx: WriteTx, importId: string, now: Timestamp): Promise<void> {
  const id = `${importKind}:${importId}`
  await tx.jobs.hasten({ id, kind: importKind, dueTime: now, failures: 0 })
}

/** The import that the job with the id is for. */
export function importIdOf(jobId: string): string {
  return jobId.slice(importKind.length + 1)
}

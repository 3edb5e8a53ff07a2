import type { Job } from '@gateleg/domain/jobs/job'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `jobs` that a job has from the start. */
export const jobColumns = columnsFor<Job>()({
  id: 'id',
  kind: 'kind',
  dueTime: 'due_time',
  failures: 'failures',
})

/** What becomes of a job, all null at first: who holds it until when, and why nobody does it any more. */
interface JobProgress {
  claim: string | null
  lease_until_time: string | null
  /** Null for none. */
  attempts: number | null
  parked_time: string | null
  /** Also said of a job that somebody holds: that it was asked for meanwhile. */
  parked_reason: string | null
}

/** A row of `jobs`. */
export type JobRow = RowOf<typeof jobColumns> & JobProgress

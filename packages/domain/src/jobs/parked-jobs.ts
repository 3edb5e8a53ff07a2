import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { JobStore } from '../store.ts'
import type { ParkedJob } from './job.ts'

/** Tells an operator that a job is not done any more. What waits for it waits until it is asked for again. */
export class JobParkedError extends Error {
  readonly job: ParkedJob

  constructor(job: ParkedJob) {
    const { id, kind, parkedTime, reason } = job
    super(
      `The job "${id}" (${kind}) has been parked since ${parkedTime}, and is not run again until somebody asks for it. ${reason}`,
    )
    this.name = 'JobParkedError'
    this.job = job
  }
}

/** The jobs that are parked, longest parked first; of many the first. */
export function listParkedJobs({
  store,
}: {
  readonly store: JobStore
}): Promise<readonly ParkedJob[]> {
  return store.write(({ jobs }) => jobs.listParked(limits.parkedJobsListed))
}

/** Has a parked job tried again at once. Answers false when there is no parked job of the id. */
export function retryParkedJob(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  jobId: string,
): Promise<boolean> {
  const now = toTimestamp(clock.now())
  return store.write(({ jobs }) => jobs.unpark(jobId, now))
}

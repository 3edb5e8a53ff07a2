import { toTimestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { ClaimedJob } from './job.ts'
import type { JobKind } from './job-kind.ts'

type JobPorts = Pick<Ports, 'store' | 'clock' | 'ids'>

/** Milliseconds that a worker may take for a job before another one takes it over. */
export const leaseMs = 60_000

/** Milliseconds before a failed job is tried again for the first time, and at most. */
const pauseMs = { first: 1_000, most: 3_600_000 }

/** Makes sure that every recurring job is there, due at once when it is new. */
export async function ensureJobs(
  { store, clock }: JobPorts,
  kinds: ReadonlyMap<string, JobKind>,
): Promise<void> {
  const dueTime = toTimestamp(clock.now())
  await store.write(async ({ jobs }) => {
    for (const { name, isRecurring } of kinds.values()) {
      if (isRecurring) await jobs.ensure({ id: name, kind: name, dueTime, failures: 0 })
    }
  })
}

/**
 * Does the next job that is due. Answers false when there was none, true when one was done, tried or
 * found taken over. A failure of the job is told to `onFailure` and the job put off.
 */
export async function runNextJob(
  ports: JobPorts,
  kinds: ReadonlyMap<string, JobKind>,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  const { store, clock, ids } = ports
  const nowMs = clock.now()
  const terms = {
    now: toTimestamp(nowMs),
    leaseUntil: toTimestamp(nowMs + leaseMs),
    claim: ids.revision(),
  }
  const job = await store.write(({ jobs }) => jobs.claim(terms))
  if (!job) return false
  const kind = kinds.get(job.kind)
  try {
    if (kind) await runAndRelease(ports, kind, job)
    else await putOff(ports, job)
  } catch (error) {
    onFailure(error)
    await putOff(ports, job)
  }
  return true
}

/** The work and its end are one transaction: who lost the job in the meantime has done nothing. */
async function runAndRelease({ store, clock, ids }: JobPorts, kind: JobKind, job: ClaimedJob) {
  await store.write(async (tx) => {
    const nowMs = clock.now()
    const left = await kind.run({ tx, nowMs, ids, jobId: job.id })
    const dueTime = toTimestamp(nowMs + (left === 'more' ? 0 : kind.periodMs))
    const isOurs =
      left === 'over' ? await tx.jobs.remove(job) : await tx.jobs.release(job, dueTime, 0)
    if (!isOurs) {
      throw new DomainError('conflict', `The job "${job.id}" was taken over by another worker`)
    }
  })
}

async function putOff({ store, clock }: JobPorts, job: ClaimedJob): Promise<void> {
  const pause = Math.min(pauseMs.first * 2 ** Math.min(job.failures, 30), pauseMs.most)
  const dueTime = toTimestamp(clock.now() + pause)
  await store.write(({ jobs }) => jobs.release(job, dueTime, job.failures + 1))
}

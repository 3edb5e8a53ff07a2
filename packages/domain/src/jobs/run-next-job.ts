import { type Timestamp, toTimestamp } from '../clock.ts'
import { assert, DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import { defaultSettings } from '../settings.ts'
import type { JobStore, WriteTx } from '../store.ts'
import { HeldJobs, pauseMs } from './held-jobs.ts'
import type { ClaimedJob, ParkedJob } from './job.ts'
import type { JobKind } from './job-kind.ts'
import { JobParkedError } from './parked-jobs.ts'
import { whileRenewing } from './while-renewing.ts'

/** Settings are as shipped where none are given. */
type JobPorts = Pick<Ports, 'store' | 'clock' | 'ids'> & Partial<Pick<Ports, 'settings' | 'plans'>>

/** Milliseconds that a worker may take for a job before another one takes it over. */
export const leaseMs = 60_000

/** Milliseconds after which a job is held for longer, of which one statement may take longer than that. */
const heldAgainMs = leaseMs / 3

/**
 * Milliseconds ahead at which no job is due, nor held until: the pauses, periods and leases are shorter, and
 * clocks of several servers differ by less.
 */
const farthestMs = 2 * pauseMs.most

/** Makes sure that there is a job of each of these kinds, due at once when it is new. */
export async function ensureJobs(
  { store, clock }: Pick<Ports, 'clock'> & { readonly store: JobStore },
  kindNames: readonly string[],
): Promise<void> {
  const dueTime = toTimestamp(clock.now())
  await store.write(async ({ jobs }) => {
    for (const name of kindNames) {
      await jobs.ensure({ id: name, kind: name, dueTime, failures: 0 })
    }
  })
}

/**
 * Has all jobs of a kind done at once: those that clear up after a process that ended, say, where no other one can be at what
 * they wait for.
 */
export async function hastenJobs(
  { store, clock }: Pick<Ports, 'clock'> & { readonly store: JobStore },
  kindName: string,
): Promise<void> {
  await store.write(({ jobs }) => jobs.hastenAll(kindName, toTimestamp(clock.now())))
}

/** Which jobs a worker knows, and whom it tells of failures. */
export interface JobWork {
  readonly kinds: ReadonlyMap<string, JobKind>
  /** Whether it does those alone that may take minutes over a statement, or all others; any when it isn't said. */
  readonly lane?: 'stepwise' | 'others'
  /** What it holds from one time to the next; it works on one job at a time. */
  readonly held?: HeldJobs
  /** Hears of the failure of a job, which is put off, and of a job that was parked. Must not throw. */
  onFailure(error: unknown): void
}

/**
 * Does the next job that is due. Answers false when there was none, true when one was done, tried, parked
 * or found taken over. A failure of the job is told to `onFailure` and the job put off; so is that a job
 * was parked, because workers died of it.
 */
export async function runNextJob(
  ports: JobPorts,
  kinds: ReadonlyMap<string, JobKind>,
  onFailure: (error: unknown) => void,
): Promise<boolean> {
  return runJobs(ports, { kinds, onFailure }, () => false)
}

/**
 * Does jobs that are due, one after another, for as long as `mayGoOn` says so after each. Answers false when
 * there was none left, true when it was told to end. Work that consists of many jobs needs one transaction
 * for each at most: the one that ends a job takes the next. Those that may take minutes over a statement are for a worker of
 * their own (`lane`), so that nothing waits for them. Throws where the storage is out of reach: the jobs that it holds then are let
 * go of the next time.
 */
export async function runJobs(
  ports: JobPorts,
  given: JobWork,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const held = given.held ?? new HeldJobs()
  const work = { ...given, held }
  // What the storage was out of reach for is made up for first.
  await held.letGo(ports)
  do {
    let job = await ports.store.write((tx) => claimNext(ports, work, tx))
    held.keepOnly(job)
    if (!job) return false
    while (job) job = await runJob(ports, work, job, mayGoOn)
  } while (mayGoOn())
  return true
}

/** A worker that knows what it holds. */
type HoldingWork = JobWork & Required<Pick<JobWork, 'held'>>

/** Answers the job that was taken when this one ended, if one was. */
async function runJob(
  ports: JobPorts,
  work: HoldingWork,
  job: ClaimedJob,
  mayGoOn: () => boolean,
): Promise<ClaimedJob | undefined> {
  const { kinds, onFailure, held } = work
  if (job.attempts > limits.jobAttempts) {
    // Where it can't be parked now, whoever takes it next does so: what was counted stays.
    held.keepOnly(undefined)
    const parked = await park(ports, job)
    if (parked) onFailure(new JobParkedError(parked))
    return undefined
  }
  const kind = kinds.get(job.kind)
  try {
    if (kind) return await runAndRelease(ports, work, kind, job, mayGoOn)
    held.fail(job)
  } catch (error) {
    held.fail(job)
    onFailure(error)
  }
  await held.letGo(ports)
  return undefined
}

/**
 * Takes a job, and counts that, in a transaction before the one in which it is done: if the process dies of
 * the job, the attempt stays counted. Who takes it after that leaves a longer pause before it is taken once
 * more.
 */
async function claimNext(
  { clock, ids }: JobPorts,
  { kinds, lane, held }: HoldingWork,
  { jobs }: WriteTx,
): Promise<ClaimedJob | undefined> {
  const nowMs = clock.now()
  const [now, farthest] = [toTimestamp(nowMs), toTimestamp(nowMs + farthestMs)]
  const stepwise = [...kinds.values()].filter(({ isStepwise }) => isStepwise)
  const among = lane && {
    kinds: stepwise.map(({ name }) => name),
    areMeant: lane === 'stepwise',
  }
  const claim = ids.revision()
  const terms = { now, farthest, leaseUntil: leaseFrom(nowMs, 1), claim, ...(among && { among }) }
  const job = await jobs.claim(terms)
  if (job) held.add(job)
  if (job && job.attempts > 1) await jobs.extend(job, leaseFrom(nowMs, job.attempts))
  return job
}

function leaseFrom(nowMs: number, attempts: number): Timestamp {
  return toTimestamp(nowMs + leaseMs * 2 ** (attempts - 1))
}

async function park({ store, clock }: JobPorts, job: ClaimedJob): Promise<ParkedJob | undefined> {
  const parkedTime = toTimestamp(clock.now())
  const reason = `The process ended ${limits.jobAttempts} times in a row while it did this job`
  const isOurs = await store.write(({ jobs }) => jobs.park(job, parkedTime, reason))
  return isOurs ? { id: job.id, kind: job.kind, parkedTime, reason } : undefined
}

/** The work and its end are one transaction: who lost the job in the meantime has done nothing. */
async function runAndRelease(
  ports: JobPorts,
  work: HoldingWork,
  kind: JobKind,
  job: ClaimedJob,
  mayGoOn: () => boolean,
): Promise<ClaimedJob | undefined> {
  const { store, clock, ids, settings = defaultSettings, plans } = ports
  const given = { ids, settings, ...(plans && { plans }) }
  assert(kind.periodMs < farthestMs, `the job "${kind.name}" comes again before it counts as due`)
  const { isLong = false, isStepwise = false } = kind
  const options = { isLong, isStepwise }
  const runOnce = async (tx: WriteTx) => {
    const nowMs = clock.now()
    const { id: jobId, failures } = job
    // What failed is tried again in small parts, so that what comes before the failure is kept.
    const mayDoMore = () => failures === 0 && !isStepwise && tx.mayDoMore() && mayGoOn()
    const context = { tx, nowMs, ...given, jobId, failures, mayDoMore }
    let left = await kind.run(context)
    while (left === 'more' && mayDoMore()) left = await kind.run(context)
    const dueTime = toTimestamp(nowMs + (left === 'more' ? 0 : kind.periodMs))
    const isOurs =
      left === 'over' ? await tx.jobs.remove(job) : await tx.jobs.release(job, dueTime, 0)
    if (!isOurs) {
      throw new DomainError('conflict', `The job "${job.id}" was taken over by another worker`)
    }
    return mayGoOn() ? claimNext(ports, work, tx) : undefined
  }
  const write = () => store.write(runOnce, options)
  const next = await (isStepwise ? whileHolding(ports, job, write) : write())
  work.held.keepOnly(next)
  return next
}

/** Does what may take longer than a lease: who is at it holds the job, and when it dies of it another one soon takes it over. */
function whileHolding<T>(
  { store, clock }: JobPorts,
  job: ClaimedJob,
  work: () => Promise<T>,
): Promise<T> {
  const renew = () =>
    store.write(({ jobs }) => jobs.extend(job, leaseFrom(clock.now(), job.attempts)))
  return whileRenewing({ everyMs: heldAgainMs, renew }, work)
}

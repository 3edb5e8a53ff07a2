import type { Timestamp } from '../clock.ts'
import type { ClaimedJob, Job, ParkedJob } from './job.ts'

/** The kinds of the names, or all others. */
interface KindsOfJobs {
  readonly kinds: readonly string[]
  readonly areMeant: boolean
}

/** Takes and gives back jobs. */
export interface JobRepository {
  /** Adds the job unless there is one with its id. */
  ensure(job: Job): Promise<void>
  /** Has all jobs of the kind done by the time. */
  hastenAll(kind: string, dueTime: Timestamp): Promise<void>
  /** Whether there is a job of the kind, parked ones too. */
  hasKind(kind: string): Promise<boolean>
  /**
   * Adds the job, or has the one with its id done by its due time, if that is earlier. One that somebody holds is done at that
   * time after it is over: what it is for may be something that they don't see yet.
   */
  hasten(job: Job): Promise<void>
  /** Has the job of the id done at another time; nothing happens where somebody holds it, or there is none. */
  postpone(id: string, dueTime: Timestamp): Promise<void>
  /**
   * Takes the first job that is due and that nobody holds (see `farthest`), by due time, ties by id, and counts the attempt;
   * undefined when there is none. A job that another transaction is about to take is passed over, as is
   * one that is parked.
   */
  claim(terms: {
    readonly now: Timestamp
    /** Later than any job is due, or held until: one that is was noted by a clock that was ahead. */
    readonly farthest: Timestamp
    readonly leaseUntil: Timestamp
    readonly claim: string
    /** Takes jobs of these kinds alone, or of all others; of any when this is left out. */
    readonly among?: KindsOfJobs
  }): Promise<ClaimedJob | undefined>
  /**
   * Lets go of a job that is due again at the time, with so many failures in a row and no attempt that
   * did not end. Answers false when
   * the claim is no longer the one that holds the job; then nothing has changed.
   */
  release(job: ClaimedJob, dueTime: Timestamp, failures: number): Promise<boolean>
  /** Has the claim hold the job until another time, if it still does. */
  extend(job: ClaimedJob, leaseUntil: Timestamp): Promise<void>
  /** Lets go of a job that is not to be taken again. Answers false when the claim no longer holds it. */
  park(job: ClaimedJob, time: Timestamp, reason: string): Promise<boolean>
  /** The first so many jobs that are parked, longest parked first. */
  listParked(most: number): Promise<readonly ParkedJob[]>
  /** Has a parked job done by the time, its attempts forgotten. Answers false when it is not parked. */
  unpark(id: string, dueTime: Timestamp): Promise<boolean>
  /**
   * Removes a job for good; lets go of one that was asked for since it was taken. Answers false, and changes nothing, when the
   * claim no longer holds it.
   */
  remove(job: ClaimedJob): Promise<boolean>
}

/** What the start of an engine asks of jobs. */
export type StartingJobRepository = Pick<JobRepository, 'ensure' | 'hastenAll' | 'listParked'>

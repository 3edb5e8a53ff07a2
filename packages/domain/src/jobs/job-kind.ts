import type { Plans } from '../billing/plans.ts'
import type { Ids } from '../ids.ts'
import type { Settings } from '../settings.ts'
import type { WriteTx } from '../store.ts'

/** What a job needs to know. */
export interface JobContext {
  readonly tx: WriteTx
  /** Milliseconds since 1970-01-01 UTC. */
  readonly nowMs: number
  readonly ids: Ids
  /** What the operator decides. */
  readonly settings: Settings
  /** What spaces may have by their levels; absent where nothing is limited. */
  readonly plans?: Plans
  /** The id of the job: tells what it is about, where a kind has several jobs. */
  readonly jobId: string
  /** How often it failed in a row until now: what a storage refuses can be done with more care then. */
  readonly failures: number
  /**
   * Whether the job may go on in its transaction; asked before each further part of its work. Not where it failed, so that
   * what comes before the failure is kept.
   */
  mayDoMore(): boolean
}

/** One kind of work. */
export interface JobKind {
  readonly name: string
  /** Whether there is always one job of the kind; jobs of other kinds are added when there is work. */
  readonly isRecurring: boolean
  /** Whether it writes so much that a storage should write it where it holds nobody up. */
  readonly isLong?: boolean
  /**
   * Whether a storage may keep each of its statements by itself, where what it does can't be part of a transaction. It
   * may take minutes then, and must be of use however far it came: it is done again from the beginning.
   */
  readonly isStepwise?: boolean
  /** Milliseconds between two runs. */
  readonly periodMs: number
  /**
   * Does a bounded part of the work. Answers whether more is left, which is done at once then, or later;
   * or that the job is over and not to come back.
   */
  run(context: JobContext): Promise<'more' | 'later' | 'over'>
}

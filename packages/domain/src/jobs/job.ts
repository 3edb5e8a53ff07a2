import type { Timestamp } from '../clock.ts'

/** Work that is done in the background, by whichever process finds it due. */
export interface Job {
  readonly id: string
  /** The name of what is to be done, in the table of kinds. */
  readonly kind: string
  readonly dueTime: Timestamp
  /** How often it failed in a row. */
  readonly failures: number
}

/** A job that a worker holds: nobody else takes it until the lease ends. */
export interface ClaimedJob extends Job {
  /** Tells this claim from every other one. */
  readonly claim: string
  /** How often it was begun since it last ended, well or in failure; 1 unless a worker died of it. */
  readonly attempts: number
}

/** A job that nobody does any more until somebody asks for it: workers died of it again and again. */
export interface ParkedJob {
  readonly id: string
  readonly kind: string
  readonly parkedTime: Timestamp
  readonly reason: string
}

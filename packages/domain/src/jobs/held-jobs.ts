import { toTimestamp } from '../clock.ts'
import type { Ports } from '../ports.ts'
import type { ClaimedJob } from './job.ts'

/** Milliseconds before a failed job is tried again for the first time, and at most. */
export const pauseMs = { first: 1_000, most: 3_600_000 }

/** A job as it is to be let go of. */
interface HeldJob {
  readonly job: ClaimedJob
  readonly failures: number
  readonly pauseMs: number
}

/**
 * The jobs that a worker took and hasn't let go of, as far as it knows: where a transaction failed because the storage is
 * out of reach, they can't be let go of just then, and the worker can't tell whether the one that it was to take next was taken.
 * As the process lives, nobody is to wait for their leases, nor to count them as jobs of which it died.
 */
export class HeldJobs {
  #held: readonly HeldJob[] = []

  /** Notes a job that is being taken. Where the transaction is run again, it takes another claim. */
  add(job: ClaimedJob): void {
    this.#held = [...this.#held, { job, failures: job.failures, pauseMs: 0 }]
  }

  /** Forgets all but the job that a transaction took for good, if it took one. */
  keepOnly(job: ClaimedJob | undefined): void {
    this.#held = this.#held.filter((one) => one.job.claim === job?.claim)
  }

  /** Notes that the job failed: it is tried again after a pause. */
  fail({ claim }: ClaimedJob): void {
    this.#held = this.#held.map((one) => {
      const { job } = one
      if (job.claim !== claim) return one
      const pause = Math.min(pauseMs.first * 2 ** Math.min(job.failures, 30), pauseMs.most)
      return { job, failures: job.failures + 1, pauseMs: pause }
    })
  }

  /** Lets go of all; nothing happens to those that were never taken, or that another worker has by now. */
  async letGo({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<void> {
    const held = this.#held
    if (held.length === 0) return
    await store.write(async ({ jobs }) => {
      for (const one of held) {
        const dueTime = toTimestamp(clock.now() + one.pauseMs)
        await jobs.release(one.job, dueTime, one.failures)
      }
    })
    this.#held = []
  }
}

import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { FairQueue, ownCaller } from '@gateleg/sql/core/fair-queue'
import { commitCount } from './commit-count.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

interface Job {
  readonly run: () => Promise<void>
  /** Tells the caller how it ended; called after the shared commit. */
  readonly settle: (commitFailure: unknown) => void
}

/**
 * One writer behind a queue, in which callers take turns. Jobs that wait at the same time share one
 * transaction, each in a savepoint of its own, and none is settled before the shared commit is on disk:
 * durability costs one sync per batch, not per job. Once its jobs have taken a while it ends, so that
 * a short one isn't answered as late as a long one that follows it.
 */
export class WriteQueue {
  #connection: SqliteConnection
  readonly #reopen: (() => SqliteConnection) | undefined
  readonly #now: () => number
  readonly #waiting = new FairQueue<Job>()
  #draining: Promise<void> | undefined

  /**
   * Takes what makes another connection to the same file, undefined for a file that has only one, and a
   * clock that never goes back, in milliseconds.
   */
  constructor(
    connection: SqliteConnection,
    reopen?: () => SqliteConnection,
    now: () => number = () => performance.now(),
  ) {
    this.#connection = connection
    this.#reopen = reopen
    this.#now = now
  }

  /**
   * Runs the work in a shared transaction when it is the caller's turn. Undone alone when it throws.
   * `service_busy` when too many of the caller wait.
   */
  write<T>(
    work: (connection: SqliteConnection) => Promise<T>,
    caller: string = ownCaller,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let outcome: { value: T } | { error: unknown } | undefined
      const run = async () => {
        try {
          outcome = { value: await this.#inSavepoint(work) }
        } catch (error) {
          outcome = { error }
        }
      }
      const settle = (commitFailure: unknown) => {
        if (outcome && 'error' in outcome) reject(outcome.error)
        else if (commitFailure !== undefined || !outcome) reject(commitFailure)
        else resolve(outcome.value)
      }
      this.#waiting.add(caller, { run, settle })
      this.#draining ??= this.#drain()
    })
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining
  }

  /** Lets go of the connection; nothing may be written any more. */
  close(): void {
    this.#connection.close()
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      // The rest of what has arrived on the sockets joins this batch before it begins.
      await new Promise((resolve) => setImmediate(resolve))
      this.#replaceSpent()
      await this.#commitTogether()
    }
    this.#draining = undefined
  }

  /** Where no other connection is to be had, the one there is goes on. */
  #replaceSpent(): void {
    if (!this.#reopen || !this.#connection.isSpent) return
    const before = this.#connection
    try {
      this.#connection = this.#reopen()
    } catch {
      return
    }
    before.close()
  }

  async #commitTogether(): Promise<void> {
    const jobs: Job[] = []
    const most = Math.min(this.#waiting.size, limits.writesPerCommit)
    let failure: unknown
    try {
      this.#connection.control('BEGIN IMMEDIATE')
      const end = this.#now() + limits.commitMs
      do {
        const job = this.#takeNext(jobs)
        await job.run()
        if (!this.#connection.inTransaction) throw transactionLost()
      } while (jobs.length < most && this.#now() < end)
      this.#connection.control('COMMIT')
      commitCount.made++
    } catch (error) {
      failure = error
      this.#undo()
      // Those whose turn was in this transaction would most likely meet the same one after another.
      while (jobs.length < most) this.#takeNext(jobs)
    }
    for (const job of jobs) job.settle(failure)
  }

  #takeNext(jobs: Job[]): Job {
    const job = this.#waiting.take()
    assert(job, 'nobody else takes what waits')
    jobs.push(job)
    return job
  }

  /** Where even that fails the next transaction can't begin, and it is tried again. */
  #undo(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.control('ROLLBACK')
    } catch {
      // Those who wait are told what failed first.
    }
  }

  async #inSavepoint<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    this.#connection.control('SAVEPOINT job')
    try {
      const value = await work(this.#connection)
      this.#connection.control('RELEASE job')
      return value
    } catch (error) {
      if (this.#connection.inTransaction) {
        this.#connection.control('ROLLBACK TO job')
        this.#connection.control('RELEASE job')
      }
      throw error
    }
  }
}

/** Out of space, SQLite gives the whole transaction up: what shared it is gone, what follows must wait. */
function transactionLost(): SqlFailure {
  return new SqlFailure('unavailable', 'The shared transaction was given up', undefined)
}

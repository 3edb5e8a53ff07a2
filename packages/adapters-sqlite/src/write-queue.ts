import { limits } from '@gateleg/domain/limits'
import { SqlFailure } from '@gateleg/sql/connection'
import { commitCount } from './commit-count.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

interface Job {
  readonly run: () => Promise<void>
  /** Tells the caller how it ended; called after the shared commit. */
  readonly settle: (commitFailure: unknown) => void
}

/**
 * One writer behind a queue. Jobs that wait at the same time share one transaction, each in a savepoint
 * of its own, and none is settled before the shared commit is on disk: durability costs one sync per
 * batch, not per job.
 */
export class WriteQueue {
  #connection: SqliteConnection
  readonly #reopen: (() => SqliteConnection) | undefined
  #waiting: Job[] = []
  #draining: Promise<void> | undefined

  /** Takes what makes another connection to the same file; undefined for a file that has only one. */
  constructor(connection: SqliteConnection, reopen?: () => SqliteConnection) {
    this.#connection = connection
    this.#reopen = reopen
  }

  /** Runs the work in the next shared transaction. Undone alone when it throws. */
  write<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
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
      this.#waiting.push({ run, settle })
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
    while (this.#waiting.length > 0) {
      // The rest of what has arrived on the sockets joins this batch before it begins.
      await new Promise((resolve) => setImmediate(resolve))
      this.#replaceSpent()
      await this.#commitTogether(this.#waiting.splice(0, limits.writesPerCommit))
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

  async #commitTogether(jobs: readonly Job[]): Promise<void> {
    let failure: unknown
    try {
      this.#connection.control('BEGIN IMMEDIATE')
      for (const job of jobs) {
        await job.run()
        if (!this.#connection.inTransaction) throw transactionLost()
      }
      this.#connection.control('COMMIT')
      commitCount.made++
    } catch (error) {
      failure = error
      this.#undo()
    }
    for (const job of jobs) job.settle(failure)
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

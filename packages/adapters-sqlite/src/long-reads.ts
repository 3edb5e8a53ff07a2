import { availableParallelism } from 'node:os'
import { type SqlConnection, SqlFailure } from '@gateleg/sql/core/connection'
import { ReadThread } from './read-thread.ts'

/** Threads at most: one processor stays for all else. */
const threadsMax = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Reads that go on at one time on a thread, statement by statement, and reads that wait for their turn. */
const readsPerThread = 4
const waitingMax = 100

/**
 * Reads that take long, on threads and connections of their own, so that they hold up neither the thread
 * that answers nor the reads that are quick. Threads start when they are needed.
 */
export class LongReads {
  readonly #file: string
  readonly #threads = new Set<ReadThread>()
  readonly #waiting: (() => void)[] = []
  #reading = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Runs the work on one snapshot. Fails with SqlFailure, `unavailable`, where too many wait already. */
  async read<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    if (this.#reading < threadsMax * readsPerThread) this.#reading++
    else await this.#wait()
    try {
      return await this.#quietest().read(work)
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#reading--
    }
  }

  /** Reads the whole file. Returns what is wrong with it; empty where nothing was found. */
  check(): Promise<readonly string[]> {
    return this.#quietest().check()
  }

  /** Ends the threads; nothing may be read any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  async #wait(): Promise<void> {
    if (this.#waiting.length >= waitingMax) {
      throw new SqlFailure('unavailable', 'Too many long reads wait', undefined)
    }
    await new Promise<void>((take) => this.#waiting.push(take))
  }

  #quietest(): ReadThread {
    const [quietest] = [...this.#threads].toSorted((a, b) => a.sessions - b.sessions)
    if (quietest && (quietest.sessions === 0 || this.#threads.size === threadsMax)) return quietest
    const thread = new ReadThread(this.#file, () => this.#threads.delete(thread))
    this.#threads.add(thread)
    return thread
  }
}

import { availableParallelism } from 'node:os'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { FairQueue, ownCaller } from '@gateleg/sql/core/fair-queue'
import { StatementThread } from './statement-thread.ts'

/** Threads at most: one processor stays for all else. */
const threadsMax = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Reads that go on at one time on a thread, statement by statement; the others wait for their turn. */
const readsPerThread = 4

/**
 * Reads that take long, on threads and connections of their own, so that they hold up neither the thread
 * that answers nor the reads that are quick. Callers who wait take turns. Threads start when they are needed.
 */
export class LongReads {
  readonly #file: string
  readonly #threads = new Set<StatementThread>()
  readonly #waiting = new FairQueue<() => void>('longReadsWaitingPerCaller')
  #reading = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Runs the work on one snapshot when it is the caller's turn. `service_busy` when too many of the caller wait. */
  async read<T>(
    work: (connection: SqlConnection) => Promise<T>,
    caller: string = ownCaller,
  ): Promise<T> {
    if (this.#reading < threadsMax * readsPerThread) this.#reading++
    else await new Promise<void>((enter) => this.#waiting.add(caller, enter))
    try {
      return await this.#quietest().read(work)
    } finally {
      const next = this.#waiting.take()
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

  #quietest(): StatementThread {
    const [quietest] = [...this.#threads].toSorted((a, b) => a.sessions - b.sessions)
    if (quietest && (quietest.sessions === 0 || this.#threads.size === threadsMax)) return quietest
    const thread = new StatementThread(this.#file, () => this.#threads.delete(thread))
    this.#threads.add(thread)
    return thread
  }
}

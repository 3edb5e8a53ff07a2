import { availableParallelism } from 'node:os'
import { type DomainError, serviceBusy } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { FairQueue, ownCaller } from '@gateleg/domain/structures/fair-queue'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { StatementThread } from '../threads/statement-thread.ts'
import type { WriteAheadLog } from '../writing/write-ahead-log.ts'

/** Threads at most: one processor stays for all else. */
const threadsMax = Math.max(1, Math.min(2, availableParallelism() - 1))

/** Reads that go on at one time on a thread, statement by statement; the others wait for their turn. */
const readsPerThread = 4

/**
 * Runs long reads on threads and connections of their own, so that they hold up neither the main thread nor quick
 * reads. Callers who wait take turns. Threads are started when they are needed.
 */
export class LongReads {
  readonly #file: string
  readonly #threads = new Set<StatementThread>()
  readonly #waiting = new FairQueue<() => void>('longReadsWaitingPerCaller')
  readonly #log: WriteAheadLog | undefined
  #reading = 0
  /** Threads that were ended in the midst of a statement which still runs. */
  #stopping = 0
  #isClosing = false

  /** Takes the log of the file, for which reads wait while it is full. */
  constructor(file: string, log?: WriteAheadLog) {
    this.#file = file
    this.#log = log
    log?.onEmptied(() => this.#letIn())
  }

  /**
   * Runs the work on one snapshot when it is the caller's turn. `service_busy` when too many of the caller
   * wait, or the log stays full for too long.
   */
  async read<T>(
    work: (connection: SqlConnection) => Promise<T>,
    caller: string = ownCaller,
  ): Promise<T> {
    await this.#turnOf(caller)
    try {
      return await this.#quietest().read(work)
    } finally {
      this.#reading--
      this.#log?.longReadEnds()
      this.#letIn()
    }
  }

  /** Reads the whole file. Returns what is wrong with it; empty for a sound one, undefined where it wasn't read to its end. */
  async check(): Promise<readonly string[] | undefined> {
    this.#log?.longReadBegins()
    try {
      return await this.#quietest().check()
    } finally {
      this.#log?.longReadEnds()
    }
  }

  /** Ends the threads; nothing may be read any more. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all([...this.#threads].map((thread) => thread.close()))
  }

  #turnOf(caller: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearInterval(waiting)
        resolve()
      }
      this.#waiting.add(caller, enter)
      const waiting = setInterval(() => {
        if (!this.#log?.isFull) return
        clearInterval(waiting)
        this.#waiting.remove(caller, enter)
        reject(logFull())
      }, limits.fullLogWaitSeconds * 1_000)
      this.#letIn()
    })
  }

  #letIn(): void {
    if (this.#waiting.size === 0 || this.#log?.isFull) return
    while (this.#reading < threadsMax * readsPerThread && this.#waiting.size > 0) {
      this.#reading++
      this.#log?.longReadBegins()
      this.#waiting.take()?.()
    }
  }

  #quietest(): StatementThread {
    const [quietest] = [...this.#threads].toSorted((a, b) => a.sessions - b.sessions)
    if (quietest && (quietest.sessions === 0 || this.#threads.size === threadsMax)) return quietest
    const thread = new StatementThread(this.#file, {
      onEnd: (stopped) => {
        this.#threads.delete(thread)
        this.#stopping++
        void stopped.then(() => this.#stopping--)
      },
      // What runs still takes a processor: as many such threads as others, no more.
      mayGiveUp: () => this.#isClosing || this.#stopping < threadsMax,
    })
    this.#threads.add(thread)
    return thread
  }
}

function logFull(): DomainError {
  return serviceBusy('So much is being written that reads of many records have to wait', 5)
}

import type { SqlConnection } from '@gateleg/sql/core/connection'
import { StatementThread } from './statement-thread.ts'

/**
 * Runs long writes, one at a time, on a thread and a connection of their own, so that none of their statements and no
 * commit holds up the main thread. The thread is started when it is needed.
 */
export class LongWrites {
  readonly #file: string
  #thread: StatementThread | undefined

  constructor(file: string) {
    this.#file = file
  }

  /**
   * Runs the work in one transaction; resolves when it is on disk, undone when it throws. No other connection
   * may write meanwhile.
   */
  write<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    return this.#running().write(work)
  }

  /** Moves the log of the file on that thread, see `moveLog`. */
  moveLog(patienceMs?: number): Promise<boolean> {
    return this.#running().moveLog(patienceMs)
  }

  /** Ends the thread; nothing may be written any more. */
  async close(): Promise<void> {
    await this.#thread?.close()
  }

  #running(): StatementThread {
    this.#thread ??= this.#start()
    return this.#thread
  }

  #start(): StatementThread {
    const thread = new StatementThread(this.#file, () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}

import type { SqlConnection } from '@gateleg/sql/core/connection'
import type { KeptRowsOfFile } from '../connection/kept-rows.ts'
import { StatementThread } from '../threads/statement-thread.ts'

type Work<T> = (connection: SqlConnection) => Promise<T>

/**
 * Runs long writes, one at a time, on a thread and a connection of their own, so that none of their statements and no
 * commit holds up the main thread. The thread is started when it is needed.
 */
export class LongWrites {
  readonly #file: string
  readonly #kept: KeptRowsOfFile
  #thread: StatementThread | undefined

  /** Takes the file, and what is kept of its rows, which a long write may change. */
  constructor(file: string, kept: KeptRowsOfFile) {
    this.#file = file
    this.#kept = kept
  }

  /**
   * Runs the work in one transaction; resolves when it is on disk, undone when it throws. No other connection
   * may write meanwhile.
   */
  write<T>(work: Work<T>): Promise<T> {
    return this.#committing((onCommit) => this.#running().write(work, onCommit))
  }

  /**
   * Runs the work in one transaction, in which others may write until it changes something, or ends: `takeTurn` resolves
   * when they no longer may. Resolves when it is on disk, undone when it throws. Fails
   * with ReadsOutdated where they have changed by then what it read.
   */
  writeReadingFirst<T>(work: Work<T>, takeTurn: () => Promise<void>): Promise<T> {
    return this.#committing((onCommit) =>
      this.#running().writeReadingFirst(work, takeTurn, onCommit),
    )
  }

  async #committing<T>(write: (onCommit: () => void) => Promise<T>): Promise<T> {
    let isCommitting = false
    const onCommit = () => {
      isCommitting = true
      this.#kept.beginElsewhere()
    }
    try {
      return await write(onCommit)
    } finally {
      if (isCommitting) this.#kept.endElsewhere()
    }
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
    const onEnd = () => {
      if (this.#thread === thread) this.#thread = undefined
    }
    const thread = new StatementThread(this.#file, { onEnd })
    return thread
  }
}

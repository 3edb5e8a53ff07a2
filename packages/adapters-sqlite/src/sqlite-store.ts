import type { DomainEvent } from '@gateleg/domain/events/event'
import type { SqlConnection } from '@gateleg/sql/connection'
import { SqlStore, type SqlTransactions } from '@gateleg/sql/sql-store'
import { sqliteDialect } from './dialect.ts'
import type { LongReads } from './long-reads.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { threadTurns } from './thread-turns.ts'
import { WriteQueue } from './write-queue.ts'

export interface SqliteStoreParts {
  readonly writer: SqliteConnection
  /** Makes another connection that writes; undefined for a database in memory. */
  readonly reopenWriter: (() => SqliteConnection) | undefined
  /** Undefined for a database in memory, which no second connection can see. */
  readonly readers: ReaderPool | undefined
  /** For reads that take long; undefined likewise. */
  readonly longReads: LongReads | undefined
  readonly onCommit: (events: readonly DomainEvent[]) => void
  /** Lets others have the file. */
  readonly letGo: () => void
  /** Hears that the program has started. */
  readonly onStarted: () => void
}

/** A Store on one SQLite file: one writer that groups commits, and readers with snapshots of their own. */
export class SqliteStore extends SqlStore {
  readonly #onStarted: () => void

  constructor(parts: SqliteStoreParts) {
    const { writer, reopenWriter, readers, longReads, onCommit, letGo, onStarted } = parts
    const queue = new WriteQueue(writer, reopenWriter)
    const write = <T>(work: (connection: SqlConnection) => Promise<T>) => queue.write(work)
    const transactions: SqlTransactions = {
      read: (work, { isLong = false } = {}) => {
        if (!readers || !longReads) return write(work)
        return isLong ? longReads.read(work) : readers.read(work)
      },
      write,
      close: async () => {
        await queue.idle()
        readers?.close()
        await longReads?.close()
        queue.close()
        letGo()
      },
    }
    super({ transactions, dialect: sqliteDialect, turns: threadTurns, onCommit })
    this.#onStarted = onStarted
  }

  /** Lets go of what was kept for the case that the program can't start. */
  async started(): Promise<void> {
    this.#onStarted()
  }
}

import type { DomainEvent } from '@gateleg/domain/events/event'
import type { ReadOptions } from '@gateleg/domain/store'
import { type SqlConnection, WorkIsLong } from '@gateleg/sql/core/connection'
import { toDomainError } from '@gateleg/sql/core/to-domain-error'
import { SqlStore, type SqlTransactions } from '@gateleg/sql/sql-store'
import type { KeptRowsOfFile } from './connection/kept-rows.ts'
import type { SqliteConnection } from './connection/sqlite-connection.ts'
import type { FileHealth } from './file/file-health.ts'
import { sqliteOwnTables } from './own-tables.ts'
import type { LongReads } from './reading/long-reads.ts'
import type { ReaderPool } from './reading/reader-pool.ts'
import { threadTurns } from './thread-turns.ts'
import type { LogSync } from './writing/log-sync.ts'
import type { LongWrites } from './writing/long-writes.ts'
import type { WriteAheadLog } from './writing/write-ahead-log.ts'
import { WriteQueue } from './writing/write-queue.ts'

export interface SqliteStoreParts {
  readonly writer: SqliteConnection
  /** What is kept of the rows of the file; it hears of every commit to it. */
  readonly kept: KeptRowsOfFile
  /** Undefined for a database in memory, which no second connection can see. */
  readonly beside:
    | {
        /** Makes another connection that writes. */
        readonly reopenWriter: () => SqliteConnection
        readonly readers: ReaderPool
        readonly longReads: LongReads
        readonly longWrites: LongWrites
        readonly log: WriteAheadLog
        readonly sync: LogSync
        readonly health: FileHealth
      }
    | undefined
  readonly onCommit: (events: readonly DomainEvent[]) => void
  /** Lets others have the file. */
  readonly letGo: () => void
  /** Hears that the program has started. */
  readonly onStarted: () => void
}

type Beside = NonNullable<SqliteStoreParts['beside']>

/**
 * Runs a read on one of the connections beside the writer: on the thread for long ones where it is long, or turns out to be.
 * What it shows may not be on the disk yet: nobody is told of what could still be lost, be it by an answer or by a refusal.
 */
async function readBeside<T>(
  beside: Beside,
  work: (connection: SqlConnection) => Promise<T>,
  options: ReadOptions,
): Promise<T> {
  const { readers, longReads, sync } = beside
  if (options.isLong) {
    try {
      return await longReads.read(work, options.caller)
    } finally {
      // When its snapshot was taken isn't known on this thread.
      await sync.whenSynced(sync.commits)
    }
  }
  let commits = 0
  const countCommits = () => sync.commits
  const counting = async (connection: SqliteConnection) => {
    connection.countCommits = countCommits
    try {
      return await work(connection)
    } finally {
      commits = connection.commitsShown
    }
  }
  try {
    return await readers.read(counting, options)
  } catch (error) {
    if (!(error instanceof WorkIsLong)) throw error
    return readBeside(beside, work, { ...options, isLong: true })
  } finally {
    await sync.whenSynced(commits)
  }
}

/** A Store on one SQLite file: one writer that groups commits, and readers with snapshots of their own. */
export class SqliteStore extends SqlStore {
  readonly #onStarted: () => void
  readonly #health: FileHealth | undefined
  readonly #sync: LogSync | undefined

  constructor(parts: SqliteStoreParts) {
    const { writer, kept, beside, onCommit, letGo, onStarted } = parts
    const queue = new WriteQueue(writer, beside && { reopen: beside.reopenWriter, ...beside })
    beside?.log.takeTurnsIn(queue)
    const write: SqlTransactions['write'] = (work, options) => queue.write(work, options)
    const transactions: SqlTransactions = {
      read: async (work, options = {}) => {
        return beside ? readBeside(beside, work, options) : write(work, options)
      },
      write,
      accessState: () => kept.state,
      close: async () => {
        await queue.idle()
        await beside?.log.close()
        beside?.readers.close()
        await beside?.longReads.close()
        await beside?.longWrites.close()
        queue.close()
        letGo()
      },
    }
    super({
      transactions,
      ownTables: sqliteOwnTables,
      loadDialect: async () => (await import('./dialect.ts')).sqliteDialect,
      turns: threadTurns,
      onCommit,
    })
    this.#onStarted = onStarted
    this.#health = beside?.health
    this.#sync = beside?.sync
  }

  async check(): Promise<void> {
    try {
      if (this.#sync?.failure) throw this.#sync.failure
      await this.#health?.check()
    } catch (error) {
      throw toDomainError(error)
    }
  }

  protected override note(failure: unknown): void {
    this.#health?.note(failure)
  }

  /** Lets go of what was kept for the case that the program can't start. */
  async started(): Promise<void> {
    this.#onStarted()
  }
}

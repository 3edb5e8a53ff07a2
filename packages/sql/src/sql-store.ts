import { isOfCall, isVisitor } from '@gateleg/domain/access/caller-of'
import { DomainError } from '@gateleg/domain/errors'
import type { DomainEvent } from '@gateleg/domain/events/event'
import { limits } from '@gateleg/domain/limits'
import type {
  CallerOptions,
  JobStore,
  OpenStorage,
  ReadOptions,
  ReadTx,
  Store,
  WriteOptions,
  WriteTx,
} from '@gateleg/domain/store'
import type { SqlConnection } from './core/connection.ts'
import type { OwnTableDialect } from './core/dialect/own-table-dialect.ts'
import type { SqlDialect } from './core/dialect/sql-dialect.ts'
import { OwnTables } from './core/own-tables.ts'
import type { ProcessorTurns } from './core/processor-turns.ts'
import { toDomainError } from './core/to-domain-error.ts'
import { TransactionTime } from './core/transaction-time.ts'
import { DemandForIndexes, nobodysDemand } from './index-demand/index-demand.ts'
import { keepFact, keepKey } from './instance-key.ts'
import { StartingJobs } from './jobs/starting-jobs.ts'
import { SchemaCache, type Schemas, UncommittedSchemas } from './record-tables/schema-cache.ts'
import type { SqlTransaction } from './sql-transaction.ts'

/** Makes the repositories of a transaction, which may take the seconds where it is not of the program itself. */
type MakeTransaction = (
  connection: SqlConnection,
  schemas: Schemas,
  seconds: number,
  options?: CallerOptions,
) => SqlTransaction

type Work<T> = (connection: SqlConnection) => Promise<T>

/** How a SQL storage runs work on its connections. Fails with the error of the work, or with SqlFailure. */
export interface SqlTransactions {
  /** Runs the work on one snapshot. */
  read<T>(work: Work<T>, options?: ReadOptions): Promise<T>
  /** Runs the work in one transaction; resolves when it is durable. May run the work more than once. */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** See `Store`. */
  accessState?(): number | undefined
  /** Ends what is stepwise and under way; none begins after it. */
  interrupt?(): Promise<void>
  /** Lets go of the connections; nothing is under way any more. */
  close(): Promise<void>
}

export interface SqlStoreParts {
  readonly transactions: SqlTransactions
  /** The part of the dialect by which the storage is opened. */
  readonly ownTables: OwnTableDialect
  /** Loads all of it, with the first transaction. */
  readonly loadDialect: () => Promise<SqlDialect>
  readonly turns: ProcessorTurns
  readonly onCommit: (events: readonly DomainEvent[]) => void
  readonly isShared?: boolean
}

/** A Store over the transactions of a SQL engine. */
export class SqlStore implements Store, OpenStorage {
  readonly store: Store = this
  readonly jobStore: JobStore = {
    write: (work) => this.#inOwnTables((own) => work({ jobs: new StartingJobs(own) })),
  }
  readonly isShared: boolean
  readonly #transactions: SqlTransactions
  readonly #ownTables: OwnTableDialect
  readonly #loadDialect: () => Promise<SqlDialect>
  readonly #turns: ProcessorTurns
  readonly #onCommit: (events: readonly DomainEvent[]) => void
  readonly #schemas = new SchemaCache()
  readonly #demand = new DemandForIndexes()
  readonly #underWay = new Set<Promise<unknown>>()
  #begin: MakeTransaction | undefined
  #closing: Promise<void> | undefined

  constructor({ isShared = false, ...parts }: SqlStoreParts) {
    this.isShared = isShared
    this.#transactions = parts.transactions
    this.#ownTables = parts.ownTables
    this.#loadDialect = parts.loadDialect
    this.#turns = parts.turns
    this.#onCommit = parts.onCommit
  }

  read<T>(work: (tx: ReadTx) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#run(async () => {
      const begin = this.#begin ?? (await this.#load())
      return this.#transactions.read(
        (connection) => work(begin(connection, this.#schemas, limits.readSeconds, options)),
        options,
      )
    })
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#run(async () => {
      const begin = this.#begin ?? (await this.#load())
      let tx: SqlTransaction | undefined
      let schemas: UncommittedSchemas | undefined
      const run = (connection: SqlConnection) => {
        tx?.end(false)
        schemas = new UncommittedSchemas(this.#schemas)
        tx = begin(connection, schemas, limits.writeSeconds, options)
        return work(tx)
      }
      const value = await this.#transactions.write(run, options).catch((error: unknown) => {
        tx?.end(false)
        throw error
      })
      tx?.end(true)
      schemas?.share()
      if (tx && tx.events.length > 0) this.#onCommit(tx.events)
      return value
    })
  }

  giveWay(): Promise<void> {
    return this.#turns.giveWay()
  }

  accessState(): number | undefined {
    return this.#transactions.accessState?.()
  }

  instanceKey(candidate: string): Promise<string> {
    return this.#inOwnTables((own) => keepKey(own, candidate))
  }

  keyFingerprint(candidate: string): Promise<string> {
    return this.#inOwnTables((own) => keepFact(own, 'key_fingerprint', candidate))
  }

  fileOwner(candidate: string): Promise<string> {
    return this.#inOwnTables((own) => keepFact(own, 'file_owner', candidate))
  }

  /** Runs what needs no repositories but its own in one transaction. */
  #inOwnTables<T>(work: (own: OwnTables) => Promise<T>): Promise<T> {
    return this.#run(() =>
      this.#transactions.write((connection) => work(new OwnTables(connection, this.#ownTables))),
    )
  }

  async interrupt(): Promise<void> {
    await this.#transactions.interrupt?.()
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#transactions.close())
    return this.#closing
  }

  /** Hears of every failure of a call, before callers do. */
  protected note(_failure: unknown): void {}

  /** The code of all repositories is most of this package, and to open a storage needs none of it: the first transaction loads it. */
  async #load(): Promise<MakeTransaction> {
    const [{ transactionOn }, dialect] = await Promise.all([
      import('./sql-transaction.ts'),
      this.#loadDialect(),
    ])
    this.#begin = (connection, schemas, seconds, { caller } = {}) => {
      // Whoever has a link could have all the indexes made that a table may have.
      const demand = isVisitor(caller) ? nobodysDemand : this.#demand
      const time = new TransactionTime(this.#turns, isOfCall(caller) ? seconds : undefined)
      return transactionOn(connection, dialect, { schemas, demand }, time)
    }
    return this.#begin
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing) {
      throw new DomainError('database_connection_unavailable', 'The engine is closed')
    }
    const running = call()
    this.#underWay.add(running)
    try {
      return await running
    } catch (error) {
      this.note(error)
      throw toDomainError(error)
    } finally {
      this.#underWay.delete(running)
    }
  }
}

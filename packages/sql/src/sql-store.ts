import { isVisitor } from '@gateleg/domain/access/caller-of'
import { DomainError } from '@gateleg/domain/errors'
import type { DomainEvent } from '@gateleg/domain/events/event'
import type {
  CallerOptions,
  OpenStorage,
  ReadOptions,
  ReadTx,
  Store,
  WriteOptions,
  WriteTx,
} from '@gateleg/domain/store'
import type { SqlConnection } from './core/connection.ts'
import type { SqlDialect } from './core/dialect/sql-dialect.ts'
import type { ProcessorTurns } from './core/processor-turns.ts'
import { SqlSession } from './core/session.ts'
import { toDomainError } from './core/to-domain-error.ts'
import { DemandForIndexes, nobodysDemand } from './indexes/index-demand.ts'
import { keepFact, keepKey } from './instance-key.ts'
import { SchemaCache, type Schemas, UncommittedSchemas } from './schemas/schema-cache.ts'
import { SqlTransaction } from './sql-transaction.ts'

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
  readonly dialect: SqlDialect
  readonly turns: ProcessorTurns
  readonly onCommit: (events: readonly DomainEvent[]) => void
  readonly isShared?: boolean
}

/** A Store over the transactions of a SQL engine. */
export class SqlStore implements Store, OpenStorage {
  readonly store: Store = this
  readonly isShared: boolean
  readonly #transactions: SqlTransactions
  readonly #dialect: SqlDialect
  readonly #turns: ProcessorTurns
  readonly #onCommit: (events: readonly DomainEvent[]) => void
  readonly #schemas = new SchemaCache()
  readonly #demand = new DemandForIndexes()
  readonly #underWay = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor({ transactions, dialect, turns, onCommit, isShared = false }: SqlStoreParts) {
    this.isShared = isShared
    this.#transactions = transactions
    this.#dialect = dialect
    this.#turns = turns
    this.#onCommit = onCommit
  }

  read<T>(work: (tx: ReadTx) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#run(() =>
      this.#transactions.read(
        (connection) => work(this.#transactionOn(connection, this.#schemas, options)),
        options,
      ),
    )
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#run(async () => {
      let tx: SqlTransaction | undefined
      let schemas: UncommittedSchemas | undefined
      const run = (connection: SqlConnection) => {
        tx?.end()
        schemas = new UncommittedSchemas(this.#schemas)
        tx = this.#transactionOn(connection, schemas, options)
        return work(tx)
      }
      const value = await this.#transactions.write(run, options).finally(() => tx?.end())
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
    return this.#keep((session) => keepKey(session, candidate))
  }

  keyFingerprint(candidate: string): Promise<string> {
    return this.#keep((session) => keepFact(session, 'key_fingerprint', candidate))
  }

  fileOwner(candidate: string): Promise<string> {
    return this.#keep((session) => keepFact(session, 'file_owner', candidate))
  }

  #keep(keep: (session: SqlSession) => Promise<string>): Promise<string> {
    return this.#run(() =>
      this.#transactions.write((connection) => keep(new SqlSession(connection, this.#dialect))),
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

  #transactionOn(
    connection: SqlConnection,
    schemas: Schemas,
    { caller }: CallerOptions = {},
  ): SqlTransaction {
    // Whoever has a link could have all the indexes made that a table may have.
    const demand = isVisitor(caller) ? nobodysDemand : this.#demand
    const session = new SqlSession(connection, this.#dialect, () => this.#turns.giveWay())
    return new SqlTransaction({ session, schemas, demand, profiles: new Map() }, this.#turns)
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

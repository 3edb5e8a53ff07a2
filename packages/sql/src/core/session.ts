import type { Lock } from '@gateleg/domain/access/lock'
import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import type { Compilable, RawBuilder } from 'kysely'
import type { SqlConnection } from './connection.ts'
import { type PreparedQuery, type QueryBuilder, queryBuilderOf } from './database.ts'
import type { SqlDialect } from './dialect/sql-dialect.ts'
import { OwnTables } from './own-tables.ts'
import type { TransactionTime } from './transaction-time.ts'

/** A statement that the query builder made, or an expression that is one. */
type Statement<Row = unknown> = Compilable<Row> | RawBuilder<Row>

/** What a repository works with: the connection of its transaction, and how to write SQL for it. */
export class SqlSession {
  readonly dialect: SqlDialect
  readonly db: QueryBuilder
  readonly #connection: SqlConnection
  readonly #time: TransactionTime | undefined
  #ask: (() => Promise<void>) | undefined
  /** Whether it may have waited for records while nothing was to be asked yet. */
  #mayHaveWaited = false

  /** Takes the time that the transaction may take; it never gives way where that isn't given. */
  constructor(connection: SqlConnection, dialect: SqlDialect, time?: TransactionTime) {
    this.#connection = connection
    this.dialect = dialect
    this.#time = time
    this.db = queryBuilderOf(dialect)
  }

  /** The connection, for the next statement: throws validation_error once the time of the transaction is over. */
  get connection(): SqlConnection {
    this.#time?.requireLeft()
    return this.#connection
  }

  /** Lets other work run when it is time for that; throws validation_error once the time of the transaction is over. */
  readonly giveWay = (): Promise<void> => this.#time?.giveWay() ?? Promise.resolve()

  /** See `askOnceHeld` of transactions. */
  async askOnceHeld(ask: () => Promise<void>): Promise<void> {
    this.#ask = ask
    if (this.#mayHaveWaited) await ask()
  }

  /**
   * Waits for a statement that holds rows, and asks what there is to be asked then: it is sent behind the statement, so that the
   * storage answers it as things stand once nobody else holds the rows.
   */
  async held(holding: Promise<unknown>): Promise<void> {
    await Promise.all([holding, this.#ask?.()])
  }

  /** Milliseconds by a clock that never goes back; 0 outside of transactions that are timed. */
  get nowMs(): number {
    return this.#time?.nowMs ?? 0
  }

  /**
   * Waits for a statement that reads records and holds them as the lock says, by default one that is sent now. Where it took so
   * long that others may have held them, asks what there is to be asked then: ordinary writes send nothing more.
   */
  async records<T>(lock: Lock, reading: Promise<T>, sentMs = this.nowMs): Promise<T> {
    const read = await reading
    const holds = lock !== 'none' && this.dialect.locks.holdsRows
    if (holds && this.nowMs - sentMs >= limits.recordsWaitedMs) {
      if (this.#ask) await this.#ask()
      else this.#mayHaveWaited = true
    }
    return read
  }

  /** The product's own tables by fixed statements. */
  get own(): OwnTables {
    return new OwnTables(this.connection, this.dialect)
  }

  /** All rows of a prepared query. */
  async all<Values extends object, Row>(
    query: PreparedQuery<Values, Row>,
    values: Values,
  ): Promise<readonly Row[]> {
    const { sql, fill } = query.compileFor(this.dialect)
    return (await this.connection.all(
      sql,
      fill(values as Record<string, unknown>),
    )) as readonly Row[]
  }

  /** The first row of a prepared query. */
  async first<Values extends object, Row>(
    query: PreparedQuery<Values, Row>,
    values: Values,
  ): Promise<Row | undefined> {
    return (await this.all(query, values))[0]
  }

  /**
   * The first row that answers a question which nearly every call asks, behind a statement that holds what it is about:
   * see `allOften` of connections.
   */
  async firstOften<Values extends object, Row>(
    query: PreparedQuery<Values, Row>,
    values: Values,
    behind?: Promise<unknown>,
  ): Promise<Row | undefined> {
    const { connection } = this
    if (!connection.allOften) {
      const [row] = await Promise.all([this.first(query, values), behind])
      return row
    }
    const { sql, fill } = query.compileFor(this.dialect)
    const [row] = await connection.allOften(sql, fill(values as Record<string, unknown>), behind)
    return row as Row | undefined
  }

  /** The only row of a prepared query that must have one. */
  async one<Values extends object, Row>(
    query: PreparedQuery<Values, Row>,
    values: Values,
  ): Promise<Row> {
    const row = await this.first(query, values)
    assert(row !== undefined, 'the query has a row')
    return row
  }

  /** Runs a prepared statement. Returns how many rows it changed. */
  async run<Values extends object>(
    query: PreparedQuery<Values, unknown>,
    values: Values,
  ): Promise<number> {
    const { sql, fill } = query.compileFor(this.dialect)
    return this.connection.run(sql, fill(values as Record<string, unknown>))
  }

  /** Runs a statement whose text depends on its values (lists, table names). */
  async runOnce(query: Statement): Promise<number> {
    const { sql, parameters } = query.compile(this.db)
    return this.connection.run(sql, parameters)
  }

  /** Runs a statement that makes, changes or drops a table. */
  async define(statement: Statement): Promise<void> {
    const { sql, parameters } = statement.compile(this.db)
    assert(parameters.length === 0, 'a statement about tables has no values')
    await this.connection.define(sql)
  }

  /** All rows of a query whose text depends on its values. */
  async allOnce<Row>(query: Statement<Row>): Promise<readonly Row[]> {
    const { sql, parameters } = query.compile(this.db)
    return (await this.connection.all(sql, parameters)) as readonly Row[]
  }
}

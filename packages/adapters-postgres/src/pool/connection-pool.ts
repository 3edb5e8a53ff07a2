import { clearInterval, setInterval } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { limits as maxima } from '@gateleg/domain/limits'
import { ownCaller } from '@gateleg/domain/structures/fair-queue'
import { SqlFailure } from '@gateleg/sql/core/connection'
import pg from 'pg'
import { ExpectedRows } from '../connection/expected-rows.ts'
import { GrownTables } from '../connection/grown-tables.ts'
import {
  PostgresConnection,
  type StatementListener,
  StatementNames,
} from '../connection/postgres-connection.ts'
import { typeParsers } from '../connection/type-parsers.ts'
import { FairPlaces } from '../turns/fair-places.ts'
import { LargeAnswers } from '../turns/large-answers.ts'
import { type OpenedConnection, SharedConnection } from './shared-connection.ts'

export interface ConnectionPoolOptions {
  readonly connectionString: string
  readonly size: number
  readonly onStatement?: StatementListener | undefined
  /** Replaces some of the timeouts. */
  readonly timeouts?: Partial<typeof timeoutsMs>
  /**
   * Whether PostgreSQL refuses what changes anything outside of a transaction that says that it writes. Then a transaction's
   * statements can be sent along with its beginning: where that fails, none of them is kept by itself.
   */
  readonly writesInTransactions?: boolean
}

/** The name under which the database lists our connections: by it is found out whether servers use the database. */
export const applicationName = 'gateleg'

/** How long anything may take at most, in milliseconds, so that no call hangs. */
const timeoutsMs = {
  /** Waiting for a connection, a new one or one that is lent. */
  connection: 10_000,
  /** Waiting until long reads of others have ended: each takes as long as a few statements. */
  longRead: 60_000,
  /** Waiting until large answers to others have come; then one is read beside them. */
  largeAnswer: 1_000,
  /** A statement; the largest batch takes some two seconds. */
  statement: 30_000,
  /** Waiting for an answer: the server has given the statement up before, if it is there at all. */
  answer: 35_000,
  /** Waiting for a lock; what holds one longer is no ordinary write. */
  lock: 5_000,
  /** The silence of a program in a transaction, which the server then ends. */
  idleTransaction: 60_000,
  /** An idle connection, which is then given back to the server. */
  idleConnection: 30_000,
  /** A connection: what is set on the database, as when it is distributed over machines, holds for new ones alone. */
  connectionLife: 15 * 60_000,
}

/** Milliseconds between two looks at what is to end. */
const interruptedAgainMs = 100

/** Milliseconds between two looks for connections without an answer, while anybody waits for one. */
const stalledLookMs = 250

/** Sets what answers depend on, whatever the server or the address says, and what the server gives up. */
function settings(limits: typeof timeoutsMs, writesInTransactions: boolean): string {
  const values = {
    ...(writesInTransactions && { default_transaction_read_only: 'on' }),
    timezone: `'UTC'`,
    datestyle: `'ISO'`,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleTransaction,
  }
  const set = Object.entries(values).map(([name, value]) => `set ${name} = ${value}`)
  return [...set, withoutTransactionTimeout].join('; ')
}

/**
 * What is set for the database or the role would end work in the middle that is bounded here by each statement. A server before
 * version 17 has no such setting, and refuses its name.
 */
const withoutTransactionTimeout = `select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`

/**
 * Connections to one database, each lent to one transaction at a time. Callers take turns, and one alone never
 * has all of them, nor do long reads.
 */
export class ConnectionPool {
  readonly names = new StatementNames()
  readonly largeAnswers: LargeAnswers
  readonly grown = new GrownTables((sql) => this.#define(sql))
  readonly expected = new ExpectedRows()
  readonly #pool: pg.Pool
  readonly #places: FairPlaces
  /** For reads of a statement or two. */
  readonly #shared: SharedConnection
  /** Who reads for long has one of these first. */
  readonly #placesOfLongReads: FairPlaces
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>()
  readonly #onStatement: StatementListener | undefined
  readonly #options: ConnectionPoolOptions
  /** How many wait for a connection. */
  #waiting = 0
  #lookForStalled: NodeJS.Timeout | undefined
  /** Those that anybody has, and whether they may wait for an answer for long: calls that should be short may not. */
  readonly #inUse = new Map<PostgresConnection, 'short' | 'long'>()
  /** The processes of the server that serve what runs apart, and the pools of what does. */
  readonly #apart = new Set<number>()
  readonly #apartPools = new Set<ConnectionPool>()
  #isInterrupted = false
  #lookForUnanswered: NodeJS.Timeout | undefined
  /** Whether the server gave no answer when the program was about to end. */
  #isUnanswered = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
    const { connectionString, size, onStatement, timeouts, writesInTransactions = false } = options
    const limits = { ...timeoutsMs, ...timeouts }
    this.#onStatement = onStatement
    const part = (percent: number, of = size) => Math.floor((of * percent) / 100)
    const ofOneCaller = (of: number) => Math.max(1, part(maxima.connectionsPerCallerPercent, of))
    const tooLate = () => new SqlFailure('unavailable', 'Others used all connections', undefined)
    this.#places = new FairPlaces({
      size,
      ofOneCaller: ofOneCaller(size),
      kept: part(maxima.connectionsKeptPercent),
      waitMsMax: limits.connection,
      tooLate,
    })
    const longReads = Math.max(1, part(maxima.connectionsOfLongReadsPercent))
    this.#placesOfLongReads = new FairPlaces({
      size: longReads,
      ofOneCaller: ofOneCaller(longReads),
      waitMsMax: limits.longRead,
      tooLate,
    })
    const largeAnswers = Math.max(1, part(maxima.connectionsOfLargeAnswersPercent))
    this.largeAnswers = new LargeAnswers(
      new FairPlaces({
        size: largeAnswers,
        ofOneCaller: largeAnswers,
        waitMsMax: limits.largeAnswer,
        tooLate,
      }),
    )
    this.#pool = new pg.Pool({
      connectionString,
      // One is shared by short reads.
      max: size + 1,
      application_name: applicationName,
      connectionTimeoutMillis: limits.connection,
      idleTimeoutMillis: limits.idleConnection,
      maxLifetimeSeconds: limits.connectionLife / 1000,
      query_timeout: limits.answer,
      keepAlive: true,
      pipeline: true,
      types: typeParsers,
      onConnect: (client) => client.query(settings(limits, writesInTransactions)) as never,
    })
    // The pool has dropped the connection already; who has one lent hears of it from their statement.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#shared = new SharedConnection({
      open: () => this.#openShared(),
      lifeMs: limits.connectionLife,
      readsMax: maxima.readsOnSharedConnection,
      stalledMs: maxima.sharedConnectionStalledMs,
      replacedMs: maxima.sharedConnectionReplacedMs,
    })
  }

  /**
   * Lends a connection for a read of a statement or two without a transaction: as a rule one that such reads of all callers
   * share.
   */
  async lendForShort(caller?: string): Promise<Loan> {
    return this.#shared.join() ?? this.lend(caller)
  }

  async #openShared(): Promise<OpenedConnection> {
    const client = await this.#pool.connect()
    const connection = this.#connectionOf(client)
    connection.isShared = true
    connection.largeAnswers = 'none'
    this.#inUse.set(connection, 'long')
    client.once('end', () => this.#inUse.delete(connection))
    return {
      connection,
      close: () => client.release(true),
      onClosed: (closed) => client.once('end', closed),
    }
  }

  /** Does as `lend` for a read that takes long: such wait for one another, so that connections are left for others. */
  async lendForLong(caller: string = ownCaller): Promise<LoanOfOne> {
    await this.#placesOfLongReads.enter(caller)
    try {
      return await this.#lend(caller, true)
    } catch (error) {
      this.#placesOfLongReads.leave(caller)
      throw error
    }
  }

  /**
   * Runs work on a connection of its own without a transaction: each statement is kept by itself and may take as long as
   * it takes. What it holds is let go of with the connection.
   */
  async apart<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const timeouts = {
      ...this.#options.timeouts,
      statement: 0,
      answer: 0,
      lock: timeoutsMs.longRead,
    }
    const pool = new ConnectionPool({
      ...this.#options,
      ...{ size: 1, timeouts, writesInTransactions: false },
    })
    this.#apartPools.add(pool)
    try {
      const { connection, giveBack } = await pool.lend()
      try {
        return await this.#untilInterrupted(connection, work)
      } finally {
        // The pool waits for it when it is closed, for ever where nobody gives it back.
        giveBack()
      }
    } finally {
      this.#apartPools.delete(pool)
      await pool.close()
    }
  }

  /** Runs work whose statements `interrupt` ends; fails where it has been called before. */
  async #untilInterrupted<T>(
    connection: PostgresConnection,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const [row] = await connection.all('select pg_backend_pid() as id', [])
    const processId = row?.id as number
    this.#apart.add(processId)
    try {
      if (this.#isInterrupted) throw new SqlFailure('unavailable', 'It was asked to end', undefined)
      return await work(connection)
    } finally {
      this.#apart.delete(processId)
    }
  }

  /**
   * Has the server end the statements of all that runs apart, which fails with that; none begins after it. What was between
   * two statements is found by the next look. From now on whoever gets no answer for a while loses the connection, and after that
   * nobody gets one: a server that hangs doesn't keep the program from ending.
   */
  async interrupt(): Promise<void> {
    this.#isInterrupted = true
    this.grown.stop()
    const interruptedMs = performance.now()
    const look = () => this.#endUnanswered(performance.now() - interruptedMs)
    this.#lookForUnanswered ??= setInterval(look, stalledLookMs).unref()
    if (this.#apart.size === 0) return
    try {
      await this.#cancelApart()
    } catch (error) {
      // What it was to cancel has ended with it.
      if (!this.#isUnanswered) throw error
    }
  }

  async #cancelApart(): Promise<void> {
    const { connection, giveBack } = await this.lend()
    try {
      while (this.#apart.size > 0) {
        await connection.all('select pg_cancel_backend(id) from unnest($1::int[]) as id', [
          [...this.#apart],
        ])
        await setTimeout(interruptedAgainMs)
      }
    } finally {
      giveBack()
    }
  }

  /** Takes connections from those who have had no answer since then; true where there are some. */
  #endUnanswered(sinceMs: number): boolean {
    for (const connection of this.#inUse.keys()) {
      if (Math.min(connection.waitsMs, sinceMs) <= maxima.unansweredMsWhileClosing) continue
      this.#isUnanswered = true
      connection.abandon(unansweredFailure())
    }
    for (const pool of this.#apartPools) {
      if (pool.#endUnanswered(sinceMs)) this.#isUnanswered = true
    }
    return this.#isUnanswered
  }

  /**
   * Lends a connection to a caller until `giveBack`. Fails when none is to be had in time. While anybody waits for one, those
   * are ended that have not been answered for long.
   */
  lend(caller: string = ownCaller): Promise<LoanOfOne> {
    return this.#lend(caller, false)
  }

  /** Lends a connection, to a caller who has a place among the long reads already or has none. */
  async #lend(caller: string, hasLongPlace: boolean): Promise<LoanOfOne> {
    if (this.#isUnanswered) throw unansweredFailure()
    const entering = this.#places.enter(caller)
    if (entering) await this.#endingStalled(entering)
    const client = await this.#connect(caller)
    const connection = this.#connectionOf(client)
    let isLong = hasLongPlace
    // There are connections that no long read has.
    this.#inUse.set(connection, isLong ? 'long' : 'short')
    const tryBecomeLong = () => {
      isLong ||= this.#placesOfLongReads.tryEnter(caller)
      if (isLong) this.#inUse.set(connection, 'long')
      return isLong
    }
    const giveBack = () => {
      this.#inUse.delete(connection)
      client.release(connection.isSpent)
      this.#places.leave(caller)
      if (isLong) this.#placesOfLongReads.leave(caller)
    }
    return { connection, giveBack, tryBecomeLong }
  }

  /**
   * Waits for a place. Whoever has one and gets no answer, as from a machine of the database that hangs, would have it until the
   * statement is given up: it is taken from them.
   */
  async #endingStalled(entering: Promise<void>): Promise<void> {
    this.#waiting++
    this.#lookForStalled ??= setInterval(this.#endStalled, stalledLookMs).unref()
    try {
      await entering
    } finally {
      this.#waiting--
      if (this.#waiting === 0) {
        clearInterval(this.#lookForStalled)
        this.#lookForStalled = undefined
      }
    }
  }

  readonly #endStalled = (): void => {
    const stalled = [...this.#inUse].filter(
      ([{ waitsMs }, use]) => use === 'short' && waitsMs > maxima.unansweredMsWhileOthersWait,
    )
    for (const [connection] of stalled.slice(0, this.#waiting)) {
      // Once is enough.
      this.#inUse.set(connection, 'long')
      connection.abandon(
        new SqlFailure('unavailable', 'No answer while others waited for connections', undefined),
      )
    }
  }

  #connectionOf(client: pg.PoolClient): PostgresConnection {
    let connection = this.#connections.get(client)
    if (!connection) {
      connection = new PostgresConnection(client, this, this.#onStatement)
      this.#connections.set(client, connection)
    }
    return connection
  }

  async #connect(caller: string): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      this.#places.leave(caller)
      const { message, code } = error as Error & { readonly code?: string }
      throw new SqlFailure('unreachable', `No connection to PostgreSQL: ${message || code}`, error)
    }
  }

  /** Runs a statement that is kept by itself. */
  async #define(sql: string): Promise<void> {
    const { connection, giveBack } = await this.lend()
    try {
      await connection.define(sql)
    } finally {
      giveBack()
    }
  }

  /** Closes the connections once they are given back, and tables that have grown have been looked at. */
  async close(): Promise<void> {
    await this.grown.settled()
    this.#shared.close()
    try {
      await this.#pool.end()
    } finally {
      clearInterval(this.#lookForUnanswered)
    }
  }
}

function unansweredFailure(): SqlFailure {
  return new SqlFailure('unavailable', 'No answer while the program was about to end', undefined)
}

/** A connection that is lent to one transaction. */
export interface Loan {
  readonly connection: PostgresConnection
  giveBack(): void
}

/** A connection that nobody else has meanwhile. */
interface LoanOfOne extends Loan {
  /** Has the read on it count as a long one until `giveBack`. Answers false where it would have to wait for others first. */
  tryBecomeLong(): boolean
}

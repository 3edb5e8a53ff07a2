import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import {
  type RowBatch,
  rowSize,
  type SqlConnection,
  type SqlFailure,
  type StatementPlace,
} from '@gateleg/sql/core/connection'
import {
  areChangesKnown,
  findChangesOfZone,
  ZoneList,
} from '@gateleg/sql/records/expressions/changes-of-zone'
import type pg from 'pg'
import { AnswerIsLarge, type LargeAnswers, LargeAnswerTurn } from '../turns/large-answers.ts'
import { cancelStatement } from './cancel-statement.ts'
import { type ExpectedRows, type FoundRow, isOfOtherRow, textColumn } from './expected-rows.ts'
import { GatheredWrites } from './gathered-writes.ts'
import { type GrownTables, tableAddedTo } from './grown-tables.ts'
import {
  PreparedQuery,
  type PreparedQueryOptions,
  type PreparedShapes,
  type RowForm,
} from './prepared-query.ts'
import { readInTurns } from './read-in-turns.ts'
import { endsConnection, isAfterFailure, toSqlFailure } from './to-sql-failure.ts'

/** Statements kept prepared per connection; one that holds more is replaced. */
const statementsKept = 1_000

/** Bytes that a prepared statement takes there, and for each character of it, roughly. */
const bytesPerStatement = 20_000
const bytesPerCharacter = 40

/** What a lock is of, as `pg_locks` tells it. */
const lockedBy = (lock: string) => {
  const parts = ['locktype', 'database', 'relation', 'page', 'tuple', 'virtualxid', 'transactionid']
  const ofNames = ['classid', 'objid', 'objsubid']
  return `(${[...parts, ...ofNames].map((part) => `${lock}.${part}`).join(', ')})`
}

/**
 * A row where another transaction waits for what this one holds: a row that it changed or holds, a table, a name. What it holds is
 * looked for only where anybody waits.
 */
const findWaiting = `select 1 from pg_locks as asked where not asked.granted and (select true from pg_locks as held where held.granted and held.pid = pg_backend_pid() and ${lockedBy('held')} is not distinct from ${lockedBy('asked')} limit 1) limit 1`

/** Hears the text of every statement before it is sent. */
export type StatementListener = (sql: string) => void

const isWord = /^\w+$/

/** Names prepared statements, the same way on all connections of a pool. */
export class StatementNames {
  #names = emptyNames()
  #generation = 0

  nameOf(sql: string): string {
    // What is one word is of no table, and says by itself what it is: `commit`.
    if (isWord.test(sql)) return sql
    let name = this.#names.get(sql)
    if (name === undefined) {
      const hash = createHash('sha256').update(sql).digest('base64url').slice(0, 22)
      name = `s${this.#generation}_${hash}`
      this.#names.keep(sql, name, bytesPerName + sql.length)
    }
    return name
  }

  /** Has every statement prepared anew: what was prepared fits tables that have changed. */
  forget(): void {
    this.#generation++
    this.#names = emptyNames()
  }
}

/** A name that is forgotten is made again as it was. */
function emptyNames(): WeightedCache<string, string> {
  return new WeightedCache(limits.preparedStatementBytes)
}

/** Bytes that a name takes beside the text that it stands for. */
const bytesPerName = 200

/** What the connections of a pool have in common. */
interface SharedByConnections {
  readonly names: StatementNames
  readonly largeAnswers: LargeAnswers
  readonly grown: GrownTables
  readonly expected: ExpectedRows
}

/** A comparison with an expected row that was sent, and by what that is kept. */
interface Comparison {
  readonly key: string
  readonly comparing: Promise<unknown>
}

/** What is known of the rows that a transaction went on with. */
interface Compared {
  /** Whether none was found to be another one by now. */
  readonly areSame: boolean
  /** Why some weren't compared. */
  readonly failure: unknown
}

/** How a statement is sent. */
interface Sending {
  readonly onRow?: PreparedQueryOptions['onRow']
  readonly place?: StatementPlace | undefined
}

/** One connection to a PostgreSQL server. Calls are sent at once, without waiting for those before. */
export class PostgresConnection implements SqlConnection {
  becomeLong: (() => void) | undefined
  willHold: ((baseId: string) => void) | undefined
  /** Whether anybody waits in this process for the transaction to end; undefined where nobody can. */
  isAwaited: (() => boolean) | undefined
  readonly mayReadAhead = true
  /** Whether callers read on it at the same time, each by single statements. */
  isShared = false
  /**
   * Whether the transaction under way may go on with rows of before while they are compared: it is run again where one is another
   * by now. Undefined where none are kept of it either.
   */
  mayExpect: boolean | undefined
  /**
   * How it may ask for large answers: for any, as it holds what others may wait for, or for none, for which it fails with
   * AnswerIsLarge; for one in the turn that it has, and any after it; or for one where there is a turn for the caller at once.
   */
  largeAnswers: 'any' | 'none' | LargeAnswerTurn | { readonly caller: string } = 'any'
  readonly #client: pg.ClientBase
  readonly #writes: GatheredWrites
  readonly #names: StatementNames
  readonly #largeAnswers: LargeAnswers
  readonly #grown: GrownTables
  readonly #expected: ExpectedRows
  #comparisons: Comparison[] = []
  /** How many rows the transaction added to tables so far; undefined outside of one. */
  #added: Map<string, number> | undefined
  /** Until when the transaction may go on, by `performance.now()`, and whether somebody was seen to wait for its end. */
  #mayDoMoreUntilMs = 0
  #isWaitedFor = false
  /** The commit of the transaction, where it was sent along with the last statement. */
  #ending: Promise<PreparedQuery> | undefined
  readonly #onStatement: StatementListener | undefined
  /** What was asked in the present turn of the event loop, which nothing was sent of yet. */
  readonly #asked = new Map<string, Promise<Record<string, unknown>[]>>()
  #askedTurn = 0
  readonly #prepared = new Set<string>()
  readonly #shapes: PreparedShapes = new Map()
  #preparedBytes = 0
  /** Statements that were sent and aren't answered, and since when the first of them waits. */
  #unanswered = 0
  #waitingSinceMs = 0
  #abandoned: SqlFailure | undefined
  /** Why a statement of the transaction failed, after which PostgreSQL refuses all others without a reason. */
  #firstFailure: unknown
  #isBroken = false
  /** Why nobody knows whether it is in a transaction: the beginning or the end of one failed. Nothing is asked on it any more. */
  #lost: unknown
  /** Whether the transaction changed a table: what was prepared before may not fit it any more. */
  #hasDefined = false

  constructor(
    client: pg.ClientBase,
    { names, largeAnswers, grown, expected }: SharedByConnections,
    onStatement: StatementListener | undefined,
  ) {
    this.#client = client
    this.#writes = new GatheredWrites(streamOf(client))
    readInTurns(streamOf(client))
    this.#names = names
    this.#largeAnswers = largeAnswers
    this.#grown = grown
    this.#expected = expected
    this.#onStatement = onStatement
  }

  /** Whether it must not be used for another transaction. */
  get isSpent(): boolean {
    if (this.#isBroken || this.#prepared.size > statementsKept) return true
    return this.#preparedBytes > limits.preparedBytesPerConnection
  }

  allOften(sql: string, parameters: readonly unknown[], behind?: Promise<unknown>) {
    if (this.#added && this.mayExpect !== undefined) return this.#expect(sql, parameters, behind)
    return this.isShared
      ? this.#askTogether(sql, parameters)
      : this.#askBehind(sql, parameters, behind)
  }

  /**
   * The same questions are asked once where they are asked in one turn of the event loop by those who share the connection:
   * none has been sent before the last of them was asked.
   */
  #askTogether(sql: string, parameters: readonly unknown[]) {
    const { turn } = this.#writes
    if (turn !== this.#askedTurn) {
      this.#askedTurn = turn
      this.#asked.clear()
    }
    const key = `${this.#nameOf(sql)} ${JSON.stringify(parameters)}`
    let rows = this.#asked.get(key)
    if (!rows) {
      rows = this.all(sql, parameters)
      this.#asked.set(key, rows)
    }
    return rows
  }

  async #askBehind(sql: string, parameters: readonly unknown[], behind?: Promise<unknown>) {
    const [rows] = await Promise.all([this.all(sql, parameters), behind])
    return rows
  }

  /** Answers with the row of before, which is compared meanwhile; asks where there is none. */
  async #expect(
    sql: string,
    parameters: readonly unknown[],
    behind?: Promise<unknown>,
  ): Promise<readonly FoundRow[]> {
    const question = this.#expected.questionOf(sql)
    if (!question) {
      const rows = await this.#askBehind(sql, parameters, behind)
      this.#expected.noteAnswer(sql, rows[0])
      return rows
    }
    const key = this.#expected.keyOf(question, parameters)
    const expected = this.mayExpect ? this.#expected.find(key) : undefined
    if (expected) {
      const comparing = this.rows(question.comparing, [...parameters, expected.text])
      for (const promise of [comparing, behind]) promise?.catch(() => {})
      this.#comparisons.push({ key, comparing })
      return [expected.row]
    }
    const found = await this.#askBehind(question.asking, parameters, behind)
    const rows = found.map(({ [textColumn]: text, ...row }) => ({ text, row }))
    const [first] = rows
    if (first && rows.length === 1) this.#expected.keep(key, first)
    return rows.map(({ row }) => row)
  }

  /**
   * Whether the rows that the transaction went on with were those of before, as far as it came; forgets those that weren't.
   * Where they couldn't all be compared, it tells why.
   */
  async compared(): Promise<Compared> {
    let areSame = true
    let failure: unknown
    for (const { key, comparing } of this.#comparisons) {
      try {
        await comparing
      } catch (error) {
        if (isOfOtherRow(error)) {
          areSame = false
          this.#expected.forget(key)
        } else failure ??= error
      }
    }
    return { areSame, failure }
  }

  /** Milliseconds for which a statement is waiting for its answer; 0 where none is. */
  get waitsMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#waitingSinceMs
  }

  /**
   * Ends the connection, and fails what is under way on it with the reason. Where the commit was sent along with the last
   * statement, the server is asked to give that up: it would go on without anybody, and commit.
   */
  abandon(reason: SqlFailure): void {
    this.#abandoned = reason
    this.#isBroken = true
    if (this.#ending && this.#added) cancelStatement(this.#client)
    streamOf(this.#client).destroy()
  }

  async all(sql: string, parameters: readonly unknown[]) {
    return (await this.#run(sql, parameters, 'objects')).found as Record<string, unknown>[]
  }

  async rows(sql: string, parameters: readonly unknown[], place?: StatementPlace) {
    return (await this.#run(sql, parameters, 'arrays', { place })).found as unknown[][]
  }

  /**
   * Rows beyond the size are thrown away as they come: a statement that may find much says itself where
   * to stop.
   */
  async rowsWithin(
    sql: string,
    parameters: readonly unknown[],
    length: number,
    most = Number.POSITIVE_INFINITY,
  ): Promise<RowBatch> {
    const rows: (readonly unknown[])[] = []
    let size = 0
    let isCut = false
    const take = (row: readonly unknown[]) => {
      const next = size + rowSize(row)
      isCut ||= (next > length || rows.length === most) && rows.length > 0
      if (isCut) return
      rows.push(row)
      size = next
    }
    await this.#run(sql, parameters, 'arrays', { onRow: take })
    return { rows, size, isCut }
  }

  async run(sql: string, parameters: readonly unknown[], place?: StatementPlace) {
    return (await this.#run(sql, parameters, 'arrays', { place })).rowCount
  }

  async define(sql: string): Promise<void> {
    if (this.#lost) throw this.#lost
    this.#hasDefined = true
    await this.#query({ text: sql })
  }

  async begin(mode: string): Promise<void> {
    this.#hasDefined = false
    this.#firstFailure = undefined
    this.#added = new Map()
    this.#comparisons = []
    this.mayExpect = undefined
    this.#ending = undefined
    this.#mayDoMoreUntilMs = performance.now() + limits.transactionMsOverNetwork
    this.#isWaitedFor = false
    await this.#control(`begin isolation level ${mode}`)
    // The end of the one before was sent ahead of this, and nobody waited for it.
    if (this.#lost) throw this.#lost
  }

  /** Looks each time who waits for the transaction, which is known by the next time: nobody waits for the look itself. */
  mayDoMore(): boolean {
    if (this.#isWaitedFor || this.isAwaited?.()) return false
    if (performance.now() >= this.#mayDoMoreUntilMs) return false
    this.rows(findWaiting, []).then(
      ([found]) => {
        this.#isWaitedFor = found !== undefined
      },
      // Whoever commits hears that the transaction has failed.
      () => {},
    )
    return true
  }

  /** Fails when the transaction had failed already, which PostgreSQL answers by undoing it without a word. */
  async commit(): Promise<void> {
    const { command } = await (this.#ending ?? this.#control('commit'))
    assert(command === 'COMMIT', 'work goes on after a failed statement only to fail')
    const added = this.#added ?? []
    this.#added = undefined
    for (const [table, rows] of added) this.#grown.add(table, rows)
  }

  /** Where the commit was sent along with the last statement, the transaction has ended with it. */
  async rollback(): Promise<void> {
    this.#added = undefined
    await (this.#ending ?? this.#control('rollback'))
  }

  /** Begins a transaction, or ends it. Where that fails, statements that follow would be kept by themselves, or by the next one. */
  async #control(text: string): Promise<PreparedQuery> {
    try {
      return await this.#run(text, [], 'arrays')
    } catch (error) {
      this.#isBroken = true
      this.#lost ??= error
      throw error
    }
  }

  /** The name under which the statement is prepared; '' where the transaction has changed a table. */
  #nameOf(sql: string): string {
    if (this.#hasDefined) return ''
    const name = this.#names.nameOf(sql)
    if (!this.#prepared.has(name)) {
      this.#prepared.add(name)
      this.#preparedBytes += bytesPerStatement + bytesPerCharacter * sql.length
    }
    return name
  }

  async #run(
    text: string,
    values: readonly unknown[],
    form: RowForm,
    { onRow, place }: Sending = {},
  ): Promise<PreparedQuery> {
    if (this.#lost) throw this.#lost
    assert(!this.#ending || !this.#added, 'nothing follows the last statement of a transaction')
    for (const value of values) {
      if (!(value instanceof ZoneList) || areChangesKnown(value.zone)) continue
      await findChangesOfZone(value.zone, setImmediate)
    }
    const name = this.#nameOf(text)
    const options = { name, text, values, form, shapes: this.#shapes, ...(onRow && { onRow }) }
    const { largeAnswers } = this
    if (largeAnswers === 'any' || !this.#largeAnswers.takesTurn(name)) {
      return this.#send(options, place)
    }
    const turn = this.#turnFor(largeAnswers)
    if (!turn) throw new AnswerIsLarge()
    return this.#sendInTurn(options, turn)
  }

  #turnFor(
    largeAnswers: Exclude<PostgresConnection['largeAnswers'], 'any'>,
  ): LargeAnswerTurn | undefined {
    if (largeAnswers === 'none') return undefined
    if (largeAnswers instanceof LargeAnswerTurn) return largeAnswers
    return this.#largeAnswers.tryEnter(largeAnswers.caller)
  }

  async #sendInTurn(options: PreparedQueryOptions, turn: LargeAnswerTurn): Promise<PreparedQuery> {
    const before = this.largeAnswers
    turn.begin()
    const beganMs = performance.now()
    try {
      const query = await this.#send(options)
      this.#largeAnswers.note(query.name, query.bytes, performance.now() - beganMs)
      return query
    } finally {
      if (this.largeAnswers === before) this.largeAnswers = 'any'
      turn.end()
    }
  }

  async #send(options: PreparedQueryOptions, place?: StatementPlace): Promise<PreparedQuery> {
    const query = new PreparedQuery(options)
    const send = () =>
      new Promise<void>((resolve, reject) => {
        query.callback = (error) => (error ? reject(error) : resolve())
        this.#client.query(query)
        if (place === 'last') this.#end()
      })
    await this.#attempt(query.text, send)
    this.#largeAnswers.note(query.name, query.bytes)
    this.#noteAdded(query)
    return query
  }

  /** Sends the commit behind the last statement of a transaction. PostgreSQL takes it for a rollback where that fails. */
  #end(): void {
    if (!this.#added) return
    this.#ending = this.#control('commit')
    // Whoever commits hears of its failure.
    this.#ending.catch(() => {})
  }

  #noteAdded({ text, rowCount }: PreparedQuery): void {
    const table = rowCount > 0 ? tableAddedTo(text) : undefined
    if (table === undefined) return
    if (this.#added) this.#added.set(table, (this.#added.get(table) ?? 0) + rowCount)
    else this.#grown.add(table, rowCount)
  }

  #query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.#attempt(query.text, () => this.#client.query(query))
  }

  async #attempt<T>(sql: string, run: () => Promise<T>): Promise<T> {
    this.#onStatement?.(sql)
    if (this.#unanswered++ === 0) this.#waitingSinceMs = performance.now()
    try {
      return await run()
    } catch (error) {
      this.#isBroken ||= endsConnection(error)
      if (isAfterFailure(error) && this.#firstFailure) throw this.#firstFailure
      const failure = this.#abandoned ?? toSqlFailure(error)
      this.#firstFailure ??= failure
      throw failure
    } finally {
      this.#unanswered--
      this.#waitingSinceMs = performance.now()
    }
  }
}

/** What the driver writes to, which its types leave out. */
function streamOf(client: pg.ClientBase): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
    .stream
}

import { limits } from '@gateleg/domain/limits'
import type { LongWork } from '@gateleg/domain/store'
import {
  type AddedRows,
  type SqlConnection,
  SqlFailure,
  type SqlFailureKind,
  WorkIsLong,
} from '@gateleg/sql/core/connection'
import type { ProcessorTurns } from '@gateleg/sql/core/processor-turns'
import { rowsWithin } from '@gateleg/sql/core/statements/rows-within'
import Database, { type Statement } from 'better-sqlite3'
import { threadTurns } from '../thread-turns.ts'
import { changeDefinition, changesDefinition } from './change-definition.ts'
import { changesKeptTables, type KeptRowsOfFile } from './kept-rows.ts'
import { addQueryFunctions } from './query-functions.ts'
import { type RowForm, StatementCache } from './statement-cache.ts'

/** What has SQLite take the snapshot, as long as it reads next to nothing. */
const takesSnapshot = 'SELECT 1 FROM sqlite_schema LIMIT 1'

/** Pages that a log has when a commit moves it: as many as SQLite has it by itself. */
const logPagesMoved = 1_000

export interface SqliteConnectionOptions {
  /** The turns that its statements take with other work; those of the thread when they aren't given. */
  readonly turns?: ProcessorTurns
  /** What is kept of the rows of the file; it must hear of every commit to it. */
  readonly kept?: KeptRowsOfFile | undefined
  /** Whether the statement that runs is to fail. */
  readonly isStopped?: (() => boolean) | undefined
}

/**
 * One connection to a SQLite file. Statements run immediately and in order, but their results may be delayed until
 * other work has had its turn, so that no series of statements holds up the thread.
 */
export class SqliteConnection implements SqlConnection {
  readonly #database: Database.Database
  readonly #statements: StatementCache

  willRewrite: ((bytes: number) => void) | undefined
  becomeLong: ((how?: LongWork) => void) | undefined
  mayDoMore: (() => boolean) | undefined
  /** Tells how many commits were made to the file; asked as a snapshot is taken. */
  countCommits: () => number = () => 0
  readonly #turns: ProcessorTurns
  #movesLog = true
  readonly #kept: KeptRowsOfFile | undefined
  /** The statements that may change tables of which rows are kept. */
  readonly #changing = new WeakSet<Statement>()
  /** Whether the transaction has its snapshot, which SQLite takes with its first statement. */
  #hasSnapshot = false
  #commitsShown = 0
  /** The state of these tables that the transaction shows; undefined where it isn't known, or is its own. */
  #state: number | undefined
  /** Whether the transaction changed one of them. */
  #hasChanged = false
  /** Milliseconds that statements took since the transaction began, or since others last had their turn. */
  #tookMs = 0
  /** Why the transaction under way can't be gone on with. */
  #failure: SqlFailure | undefined

  constructor(
    database: Database.Database,
    { turns = threadTurns, kept, isStopped }: SqliteConnectionOptions = {},
  ) {
    this.#database = database
    this.#turns = turns
    this.#kept = kept
    addQueryFunctions(database, isStopped)
    this.#statements = new StatementCache((sql) => {
      const statement = database.prepare(sql)
      if (kept && !statement.readonly && changesKeptTables(sql)) this.#changing.add(statement)
      return statement
    })
  }

  async all(sql: string, parameters: readonly unknown[]) {
    const rows = this.#attempt(() => this.#statement(sql, 'objects').all(toBindable(parameters)))
    if (this.#isTimeToGiveWay) await this.#giveWay()
    return rows as Record<string, unknown>[]
  }

  async allOften(sql: string, parameters: readonly unknown[]) {
    const kept = this.#kept
    if (!kept) return this.all(sql, parameters)
    if (!this.#hasSnapshot) this.#attempt(() => this.#statement(takesSnapshot, 'objects').get())
    const found = this.#isPresent(kept) && kept.get(sql, parameters)
    if (found) return found
    const rows = await this.all(sql, parameters)
    if (this.#isPresent(kept)) kept.keep(sql, parameters, rows)
    return rows
  }

  async rows(sql: string, parameters: readonly unknown[]) {
    const rows = this.#attempt(() => this.#statement(sql, 'arrays').all(toBindable(parameters)))
    if (this.#isTimeToGiveWay) await this.#giveWay()
    return rows as unknown[][]
  }

  async rowsWithin(sql: string, parameters: readonly unknown[], size: number, most?: number) {
    const batch = this.#attempt(() => {
      const found = this.#statement(sql, 'arrays').iterate(toBindable(parameters))
      return rowsWithin(found as Iterable<unknown[]>, size, most)
    })
    if (this.#isTimeToGiveWay) await this.#giveWay()
    return batch
  }

  async run(sql: string, parameters: readonly unknown[]) {
    const { changes } = this.#attempt(() =>
      this.#statement(sql, 'objects').run(toBindable(parameters)),
    )
    if (this.#isTimeToGiveWay) await this.#giveWay()
    return changes
  }

  async addInOrder(runs: Iterable<AddedRows> | AsyncIterable<AddedRows>): Promise<number> {
    let number = 0
    // To wait for each of a list as well makes several objects.
    if (Symbol.iterator in runs) for (const run of runs) number = await this.#addRowsOf(run)
    else for await (const run of runs) number = await this.#addRowsOf(run)
    return number
  }

  async #addRowsOf({ sql, before, values }: AddedRows): Promise<number> {
    const first = toBindable(before)
    let number = 0
    for (let done = 0; done < values.length; ) {
      this.#attempt(() => {
        const statement = this.#statement(sql, 'objects')
        // Not one by one: to wait for each of thousands takes a tenth of the time.
        do number = Number(statement.run(first, toBindable(values[done++] ?? [])).lastInsertRowid)
        while (done < values.length && !this.#turns.isOver)
      })
      if (this.#isTimeToGiveWay) await this.#giveWay()
    }
    return number
  }

  /**
   * Begins to find out whether a write is long; not where it has nowhere else to go. `isWaitedFor` tells whether others
   * wait for it to end.
   */
  beginWrite(mayGoElsewhere: boolean, isWaitedFor: () => boolean): void {
    const becomeLong = (how?: LongWork): never => {
      throw new WorkIsLong(how)
    }
    let rewritten = 0
    const count = (bytes: number) => {
      rewritten += bytes
      const isLong =
        bytes > limits.lengthRewrittenAtOnce || rewritten > limits.lengthRewrittenPerWrite
      if (isLong) becomeLong()
    }
    this.becomeLong = mayGoElsewhere ? becomeLong : undefined
    this.willRewrite = mayGoElsewhere ? count : undefined
    const endMs = this.#turns.nowMs + limits.transactionMs
    this.mayDoMore = () =>
      !isWaitedFor() && this.#turns.nowMs < endMs && rewritten < limits.lengthRewrittenPerWrite / 2
  }

  async define(sql: string): Promise<void> {
    if (changesKeptTables(sql)) this.#noteChange()
    this.#attempt(() => {
      if (changesDefinition(sql)) changeDefinition(this.#database, sql)
      else this.#database.exec(sql)
    })
    if (this.#isTimeToGiveWay) await this.#giveWay()
  }

  /** Runs a statement of transaction control, which takes and answers nothing. */
  control(sql: string): void {
    this.#failure = undefined
    this.#tookMs = 0
    this.#attempt(() => this.#statements.get(sql, 'objects').run())
  }

  /** Begins to read on one snapshot. */
  beginReading(): void {
    this.#hasSnapshot = false
    this.#commitsShown = 0
    this.control('BEGIN')
  }

  /** Begins a transaction that writes. */
  beginWriting(): void {
    this.#hasSnapshot = false
    this.#hasChanged = false
    this.control('BEGIN IMMEDIATE')
  }

  /** Commits what was written. Nobody is given rows from before that from here on, whether or not it failed. */
  commit(): void {
    try {
      this.control('COMMIT')
    } finally {
      if (this.#hasChanged) this.#kept?.forget()
    }
  }

  /** Whether a transaction is open: SQLite ends one by itself after some failures. */
  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /** The commits that the snapshot of the transaction under way shows; 0 before it is taken. */
  get commitsShown(): number {
    return this.#commitsShown
  }

  /** Whether the file could not be read in the transaction under way. */
  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  /** Whether it should be replaced by a new one: what it has prepared takes too much memory. */
  get isSpent(): boolean {
    return this.#statements.preparedBytes > limits.preparedBytesPerConnection
  }

  /** Whether its commits move the log to the file once it has some pages, as they do from the beginning. */
  get movesLog(): boolean {
    return this.#movesLog
  }

  set movesLog(movesLog: boolean) {
    if (movesLog === this.#movesLog) return
    this.#database.pragma(`wal_autocheckpoint = ${movesLog ? logPagesMoved : 0}`)
    this.#movesLog = movesLog
  }

  /** Has others bring its commits from the log to the disk; before, each commit does. */
  leaveSyncing(): void {
    this.#database.pragma('synchronous = NORMAL')
  }

  close(): void {
    this.#database.close()
  }

  /**
   * Who has taken next to nothing goes on though the turn is over: else each statement of a short call would
   * wait for a step of every long one.
   */
  get #isTimeToGiveWay(): boolean {
    return this.#turns.isOver && this.#tookMs >= shortMs
  }

  #statement(sql: string, form: RowForm): Statement {
    const statement = this.#statements.get(sql, form)
    if (!this.#hasSnapshot) {
      this.#hasSnapshot = true
      this.#commitsShown = this.countCommits()
      this.#state = this.#kept?.state
    }
    if (this.#changing.has(statement)) this.#noteChange()
    return statement
  }

  #noteChange(): void {
    this.#hasSnapshot = true
    this.#hasChanged = true
    this.#state = undefined
  }

  /** Whether the transaction shows the kept tables as they are now. */
  #isPresent({ state }: KeptRowsOfFile): boolean {
    return state !== undefined && state === this.#state
  }

  #giveWay(): Promise<void> {
    this.#tookMs = 0
    return this.#turns.wait()
  }

  /**
   * SQLite may have ended a transaction in which the file could not be read: a statement that ran after it
   * would see another state.
   */
  #attempt<T>(run: () => T): T {
    if (this.#failure) throw this.#failure
    const beganMs = this.#turns.nowMs
    try {
      return run()
    } catch (error) {
      const failure = toSqlFailure(error)
      if (failure instanceof SqlFailure && failure.kind === 'unreadable') this.#failure = failure
      throw failure
    } finally {
      this.#tookMs += this.#turns.nowMs - beganMs
    }
  }
}

/** Milliseconds of statements that hardly anybody notices: those of a short call take less. */
const shortMs = 2

/** SQLite has no truth values and no lists: they are bound as 0 and 1, and as JSON text. */
function toBindable(parameters: readonly unknown[]): readonly unknown[] {
  // Most are bindable as they are: thousands of rows need not be copied.
  if (!parameters.some(isOtherwiseBound)) return parameters
  return parameters.map((value) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (Array.isArray(value)) return JSON.stringify(value)
    return value
  })
}

function isOtherwiseBound(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && Array.isArray(value))
}

const failureKinds: Readonly<Record<string, SqlFailureKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreignKey',
  SQLITE_FULL: 'full',
  SQLITE_BUSY: 'unavailable',
  SQLITE_LOCKED: 'unavailable',
}

/** How codes begin that say that the file is damaged, gone or on a disk that fails. */
const unreadableCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/

/** Converts an error of better-sqlite3 to an SqlFailure; returns other errors unchanged. */
export function toSqlFailure(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const { code, message } = error
  const kind = unreadableCodes.test(code) ? 'unreadable' : (failureKinds[code] ?? 'other')
  return new SqlFailure(kind, message, error)
}

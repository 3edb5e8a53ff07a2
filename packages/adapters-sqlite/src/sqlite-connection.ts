import { type SqlConnection, SqlFailure, type SqlFailureKind } from '@gateleg/sql/connection'
import Database from 'better-sqlite3'

/** Statements kept prepared per connection; beyond it the one unused for longest goes. */
const statementsKept = 500

/**
 * One connection to a SQLite file. Calls run at once and in order; the promises are there because a
 * storage over a network could not do so.
 */
export class SqliteConnection implements SqlConnection {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()

  constructor(database: Database.Database) {
    this.#database = database
  }

  async all(sql: string, parameters: readonly unknown[]) {
    return this.#execute(sql, (statement) => {
      return statement.all(toBindable(parameters)) as Record<string, unknown>[]
    })
  }

  async rows(sql: string, parameters: readonly unknown[]) {
    return this.#execute(sql, (statement) => {
      statement.raw(true)
      try {
        return statement.all(toBindable(parameters)) as unknown[][]
      } finally {
        statement.raw(false)
      }
    })
  }

  async run(sql: string, parameters: readonly unknown[]) {
    return this.#execute(sql, (statement) => statement.run(toBindable(parameters)).changes)
  }

  async define(sql: string): Promise<void> {
    try {
      this.#database.exec(sql)
    } catch (error) {
      throw toSqlFailure(error)
    }
  }

  /** Runs a statement of transaction control, which takes and answers nothing. */
  control(sql: string): void {
    this.#execute(sql, (statement) => statement.run())
  }

  /** Whether a transaction is open: SQLite ends one by itself after some failures. */
  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #execute<T>(sql: string, run: (statement: Database.Statement) => T): T {
    try {
      return run(this.#prepare(sql))
    } catch (error) {
      throw toSqlFailure(error)
    }
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    if (this.#statements.size >= statementsKept) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

/** SQLite has no truth values and no lists: they are bound as 0 and 1, and as JSON text. */
function toBindable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (Array.isArray(value)) return JSON.stringify(value)
    return value
  })
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

/** What better-sqlite3 threw, in the terms of the shared package; other errors as they are. */
function toSqlFailure(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return new SqlFailure(failureKinds[error.code] ?? 'other', error.message, error)
}

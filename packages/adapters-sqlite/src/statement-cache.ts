import type { Statement } from 'better-sqlite3'

/** Statements kept prepared; beyond it the oldest goes, and is prepared again when it is needed. */
const statementsKept = 500

/** Prepared statements by their text. */
export class StatementCache {
  readonly #prepare: (sql: string) => Statement
  readonly #bySql = new Map<string, Statement>()

  constructor(prepare: (sql: string) => Statement) {
    this.#prepare = prepare
  }

  get(sql: string): Statement {
    const known = this.#bySql.get(sql)
    if (known) return known
    const statement = this.#prepare(sql)
    if (this.#bySql.size >= statementsKept) {
      const [oldest] = this.#bySql.keys()
      if (oldest !== undefined) this.#bySql.delete(oldest)
    }
    this.#bySql.set(sql, statement)
    return statement
  }
}

import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/weighted-cache'
import type { Statement } from 'better-sqlite3'

/** How a statement answers: rows as objects, or as arrays. */
export type RowForm = 'objects' | 'arrays'

/** Bytes that a prepared statement takes, and per character of its text: up to some 43 were measured. */
const bytesPerStatement = 1_000
const bytesPerCharacter = 40

/**
 * Prepared statements by their text. What is forgotten here lives on until the garbage collector comes
 * by, which knows nothing of the memory it takes: so the weight of all that was ever prepared is told,
 * for who can close the connection.
 */
export class StatementCache {
  readonly #prepare: (sql: string) => Statement
  readonly #byForm: Readonly<Record<RowForm, WeightedCache<string, Statement>>>
  #prepared = 0

  constructor(prepare: (sql: string) => Statement) {
    this.#prepare = prepare
    const each = limits.preparedStatementBytes / 2
    this.#byForm = { objects: new WeightedCache(each), arrays: new WeightedCache(each) }
  }

  /** Bytes, roughly, of all statements prepared so far, those forgotten among them. */
  get preparedBytes(): number {
    return this.#prepared
  }

  get(sql: string, form: RowForm): Statement {
    const cache = this.#byForm[form]
    const known = cache.get(sql)
    if (known) return known
    const statement = this.#prepare(sql)
    if (form === 'arrays') statement.raw(true)
    const weight = bytesPerStatement + bytesPerCharacter * sql.length
    this.#prepared += weight
    cache.keep(sql, statement, weight)
    return statement
  }
}

import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import type { Statement } from 'better-sqlite3'

/** How a statement answers: rows as objects, or as arrays. */
export type RowForm = 'objects' | 'arrays'

/** Bytes that a prepared statement takes, and per character of its text: up to some 43 were measured. */
const bytesPerStatement = 1_000
const bytesPerCharacter = 40

/**
 * A cache of prepared statements by their text. A statement that is dropped from it lives on until the garbage
 * collector finds it, which knows nothing of its memory; so the cache also tells the weight of all that was ever
 * prepared, for whoever can close the connection.
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

import { assert } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import { createQueryId, type QueryCompiler, type RawBuilder } from 'kysely'
import { Place } from '../dialect/place.ts'
import type { SqlDialect } from '../dialect/sql-dialect.ts'
import { type BoundedSelect, boundedSelect, type Search } from './bounded-select.ts'

/** Bytes that a text takes beside its characters, and those of its key. */
const bytesPerText = 200

interface Compiled {
  readonly compiler: QueryCompiler
  readonly texts: WeightedCache<string, string>
}

const byDialect = new WeakMap<SqlDialect, Compiled>()

function compiledOf(dialect: SqlDialect): Compiled {
  let compiled = byDialect.get(dialect)
  if (!compiled) {
    const texts = new WeightedCache<string, string>(limits.statementTextBytes)
    compiled = { compiler: dialect.createQueryCompiler(), texts }
    byDialect.set(dialect, compiled)
  }
  return compiled
}

/** The text of a statement whose only values are places. */
export function statementText(dialect: SqlDialect, statement: RawBuilder<unknown>): string {
  const { compiler } = compiledOf(dialect)
  const { sql, parameters } = compiler.compileQuery(statement.toOperationNode(), createQueryId())
  const isKept = parameters.every((parameter) => parameter instanceof Place)
  assert(isKept, 'a statement that is kept has places for its values')
  return sql
}

/**
 * The texts of the statements on one user table. Each is compiled when it is asked for first: compiling one
 * takes longer than running it. All tables share what memory there is for texts.
 */
export class StatementTexts {
  readonly #dialect: SqlDialect
  readonly #owner: string

  /** Takes what tells the table from all others as long as the dialect is there. */
  constructor(dialect: SqlDialect, owner: string) {
    this.#dialect = dialect
    this.#owner = owner
  }

  /** The text of the statement that the key tells from others on the table. */
  of(key: string, build: () => RawBuilder<unknown>): string {
    const { texts } = compiledOf(this.#dialect)
    const whole = `${this.#owner} ${key}`
    const known = texts.get(whole)
    if (known !== undefined) return known
    const text = statementText(this.#dialect, build())
    texts.keep(whole, text, bytesPerText + whole.length + text.length)
    return text
  }

  /** A statement that reads no more than a size, made the first time that it is asked for. */
  bounded(key: string, search: () => Search): BoundedSelect {
    return boundedSelect(this.#dialect, search, (part, build) => this.of(`${key} ${part}`, build))
  }
}

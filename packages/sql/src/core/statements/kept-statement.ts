import { limits } from '@gateleg/domain/limits'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'
import type { RawBuilder } from 'kysely'
import { valueSize } from '../connection.ts'
import { queryBuilderOf } from '../database.ts'
import type { SqlDialect } from '../dialect/sql-dialect.ts'

/** Stands among the values of a statement for one that is told each time that it runs, by its place among these. */
export class Given {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/** A statement as it is sent, and its values. */
export interface KeptStatement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Bytes that a statement takes beside its text, its key and the texts among its values. */
const bytesPerStatement = 500

const byDialect = new WeakMap<SqlDialect, WeightedCache<string, KeptStatement>>()

/**
 * The statement that the key tells from all others. It is compiled when it is asked for first, which takes longer than many
 * statements run; without a key, each time.
 */
export function keptStatement(
  dialect: SqlDialect,
  key: string | undefined,
  build: () => RawBuilder<unknown>,
): KeptStatement {
  if (key === undefined) return compiled(dialect, build())
  let statements = byDialect.get(dialect)
  if (!statements) {
    statements = new WeightedCache(limits.keptStatementBytes)
    byDialect.set(dialect, statements)
  }
  const known = statements.get(key)
  if (known) return known
  const statement = compiled(dialect, build())
  statements.keep(key, statement, weightOf(statement) + 2 * key.length)
  return statement
}

/** The values to bind, with those that are told this time. */
export function valuesToBind(
  { parameters }: KeptStatement,
  told: readonly unknown[],
): readonly unknown[] {
  return parameters.map((value) => (value instanceof Given ? told[value.index] : value))
}

function compiled(dialect: SqlDialect, statement: RawBuilder<unknown>): KeptStatement {
  const { sql, parameters } = statement.compile(queryBuilderOf(dialect))
  return { text: sql, parameters }
}

function weightOf({ text, parameters }: KeptStatement): number {
  let weight = bytesPerStatement + text.length
  for (const value of parameters.flat()) {
    weight += valueSize + (typeof value === 'string' ? 2 * value.length : 0)
  }
  return weight
}

import type { TypedColumn } from '@gateleg/sql/core/dialect/typed-column'
import { columnIn, type ValueDialect } from '@gateleg/sql/core/dialect/value-dialect'
import { type RawBuilder, sql } from 'kysely'
import { valueTypes } from './column-types.ts'

/** A statement is kept with the types that it was prepared for: they are told. */
export const valueDialect: ValueDialect = {
  bind: (place, type) => sql`${place}::${sql.raw(valueTypes[type])}`,
  read: ({ name, type }, table) => sql`${columnIn(table, name)}::${sql.raw(valueTypes[type])}`,
  textLength,
  unique: sql`gen_random_uuid()::text`,
  storedBytes: (name) => sql`pg_column_size(${sql.id(name)})`,
}

/** The length of a text stands beside it; of packed JSON only how much room it takes, a fraction of it. */
function textLength({ name, type }: TypedColumn): RawBuilder<number> | undefined {
  const column = sql.id(name)
  if (type === 'TEXT') return sql`coalesce(octet_length(${column}::text), 0)`
  if (type !== 'JSON') return undefined
  const packed = sql`case when pg_column_compression(${column}) is null then 1 else ${sql.lit(jsonPackedTimes)} end`
  return sql`coalesce(pg_column_size(${column}) * ${packed}, 0)`
}

/** How much smaller packed JSON is, where it is a list of ids or names. */
const jsonPackedTimes = 8

import { limits } from '@gateleg/domain/limits'
import { Place } from '@gateleg/sql/core/dialect/place'
import type { RowDialect } from '@gateleg/sql/core/dialect/row-dialect'
import type { TypedColumn } from '@gateleg/sql/core/dialect/typed-column'
import { nameList } from '@gateleg/sql/core/statements/column-lists'
import { type RawBuilder, sql } from 'kysely'
import { valueTypes } from './column-types.ts'
import { valueDialect } from './value-dialect.ts'

/** Rows that one statement takes: more make it hardly faster, and hold a batch in memory twice. */
const rowsPerStatement = 5_000

/** Values that one statement takes, but for a single row: the driver writes them in one go, for some 10 ms. */
const valuesPerStatement = 20_000

/**
 * One row is written as it is, more of them as a list of each column's values, which takes any number of them. A
 * list of JSON is JSON itself: in an array all its quotation marks would be escaped, which takes several times as
 * long.
 */
export const rowDialect: RowDialect = {
  // The driver copies all of it at once.
  get lengthPerStatement() {
    return limits.recordsLengthInOneTurn
  },
  perStatement: (columns, left) => {
    const most = Math.min(rowsPerStatement, Math.floor(valuesPerStatement / columns))
    return Math.min(left, Math.max(1, most))
  },
  table: (name, columns, rows) => {
    if (rows > 1) return sql`${rowsOf(columns)} as ${sql.raw(name)}`
    const values = columns.map(({ type }) => valueDialect.bind(new Place(), type))
    return sql`(values (${sql.join(values)})) as ${sql.raw(name)}(${nameList(columns)})`
  },
  shape: (rows) => Math.min(rows, 2),
  areJoinedWithin: true,
  bind: (columns, rows) => {
    const [only] = rows
    if (only && rows.length === 1) return columns.map((_, index) => only[index] ?? null)
    return columns.map(({ type }, index) => {
      if (type === 'JSON') return `[${rows.map((row) => row[index] ?? 'null').join()}]`
      return rows.map((row) => row[index] ?? null)
    })
  },
}

function rowsOf(columns: readonly TypedColumn[]): RawBuilder<unknown> {
  const lists = columns.map(({ type }) => {
    if (type === 'JSON') return sql`jsonb_array_elements(${new Place()}::jsonb)`
    return sql`unnest(${new Place()}::${sql.raw(valueTypes[type])}[])`
  })
  const read = columns.map(({ name, type }) => {
    const column = sql.id(name)
    return type === 'JSON' ? sql`nullif(r.${column}, 'null'::jsonb) as ${column}` : column
  })
  return sql`(select ${sql.join(read)} from rows from (${sql.join(lists)}) as r(${nameList(columns)}))`
}

import type { ListDialect } from '@gateleg/sql/core/dialect/list-dialect'
import { sql } from 'kysely'
import { valueTypes } from './column-types.ts'

const includes: ListDialect['includes'] = (values, { name, type }) =>
  sql`${sql.id(name)} = any(${values}::${sql.raw(valueTypes[type])}[])`

/** Lists are bound as arrays. */
export const listDialect: ListDialect = {
  isIn: (column, values) =>
    sql`${typeof column === 'string' ? sql.ref(column) : column} = any(${values as unknown})`,
  includes,
  includesUnique: (values, column) => {
    if (column.type !== 'TEXT') return includes(values, column)
    const hashes = sql`select md5(value) from unnest(${values}::text[]) as value`
    return sql`md5(${sql.id(column.name)}) in (${hashes}) and ${includes(values, column)}`
  },
  items: (list, name) =>
    sql`jsonb_array_elements_text(${list}) with ordinality as ${sql.raw(name)}(value, key)`,
  collect: (text, place) => sql`jsonb_agg(${text} order by ${place})`,
  all: (value, condition) => sql`(json_agg(${value}) filter (where ${condition}))::text`,
  join: (number) => sql`string_agg(cast(${number} as text), ',')`,
}

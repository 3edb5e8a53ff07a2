import type { ListDialect } from '@gateleg/sql/core/dialect/list-dialect'
import { sql } from 'kysely'

const includes: ListDialect['includes'] = (values, { name }) =>
  sql`${sql.id(name)} in (select value from json_each(${values}))`

/** Lists are bound as JSON. */
export const listDialect: ListDialect = {
  isIn: (column, values) =>
    sql`${typeof column === 'string' ? sql.ref(column) : column} in (select value from json_each(${values as unknown}))`,
  includes,
  includesUnique: includes,
  items: (list, name) => sql`json_each(${list}) as ${sql.raw(name)}`,
  collect: (text, place) => sql`nullif(json_group_array(${text} order by ${place}), '[]')`,
  all: (value, condition) => sql`json_group_array(${value}) filter (where ${condition})`,
  join: (number) => sql`group_concat(${number})`,
}

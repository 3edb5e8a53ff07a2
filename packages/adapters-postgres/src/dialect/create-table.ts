import type { CopyDialect, TableDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { quote } from '@gateleg/sql/core/statements/quote'
import { columnDefinitions } from '@gateleg/sql/record-tables/column-definitions'
import { type RawBuilder, sql } from 'kysely'
import { columnTypes } from './column-types.ts'

/** Percent of a page that new records fill; the rest is for what changes in it, see POSTGRES-71. */
const filledPercent = 75

/** A user table lies in the schema of its base. */
export const named: TableDialect['named'] = (baseId, name) => sql.id(baseId, name)

/** The statement that makes a table of records, with the sequence that numbers those of the table of the id. */
export const createTable: CopyDialect['create'] = ({ id, baseId }, { name, suffix }, columns) => {
  const numbers = sql.lit(`${quote(baseId)}.${quote(numbersOf(id))}`)
  const autoNumber = sql`${sql.raw(columnTypes.INTEGER)} not null default nextval(${numbers})`
  const definitions = columnDefinitions(columnTypes, { autoNumber }, columns)
  const key = sql`constraint ${sql.id(`${id}_pk${suffix}`)} primary key ("__id")`
  const number = sql`constraint ${sql.id(`${id}_number${suffix}`)} unique ("__auto_number")`
  return sql`create table ${named(baseId, name)} (${definitions}, ${key}, ${number}) with (fillfactor = ${sql.lit(filledPercent)})`
}

/** The table of the name as PostgreSQL knows it; null where there is none. */
export function regclassOf(baseId: string, name: string): RawBuilder<unknown> {
  return sql`to_regclass(${sql.lit(`${quote(baseId)}.${quote(name)}`)})`
}

/** The sequence of a table's numbers, in the schema of its base. */
export function numbersOf(tableId: string): string {
  return `${tableId}_numbers`
}

import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { cellColumn, jsonItem, onlyItem } from '../expressions/cell-value.ts'
import type { MeasuredRows } from '../expressions/measure-sql.ts'

/** The users whom the cells of the rows name, each once; undefined where no cell has any. */
export function userIdsSql(
  field: SchemaField,
  { table, where }: MeasuredRows,
  most: number,
  { queries }: SqlDialect,
): RawBuilder<unknown> | undefined {
  const cell = cellColumn(field)
  if (!cell) return undefined
  const { form } = field.rules
  const items = form.isList ? queries.items(cell, 'i') : undefined
  const { value } = items
    ? jsonItem(form.item, items.item, sql.ref('i.value'))
    : onlyItem(field, cell, queries)
  const joined = items ? sql` cross join ${queries.lateral(items.table)}` : sql``
  const named = sql`select distinct ${value} as id from ${table} as t${joined} where ${where}`
  return sql`select u.id from (${named}) as u where u.id is not null and u.id <> '' limit ${most}`
}

import type { Comparison, Condition } from '@gateleg/domain/queries/condition'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { granularityLengths } from '@gateleg/domain/values/dates/date-format'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from './cell-value.ts'
import { localText } from './plain-value.ts'

const holdsNot = sql<boolean>`1 = 0`

const signs = { equal: '=', less: '<', atMost: '<=', greater: '>', atLeast: '>=' } as const

/** Whether some item of a cell stands so to another cell of the record; see `standsTo`. */
export function comparedSql(
  { field, other, comparison }: Extract<Condition, { kind: 'compared' }>,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const [cell, otherCell] = [cellColumn(field), cellColumn(other)]
  if (!cell || !otherCell) return holdsNot
  const { queries } = dialect
  const second = comparedBy(field, comparison, onlyItem(other, otherCell, queries), dialect)
  const passes = (item: ItemValue) => {
    const first = comparedBy(field, comparison, item, dialect)
    if (comparison === 'contains') return queries.contains(first, second)
    return sql<boolean>`${first} ${sql.raw(signs[comparison])} ${second}`
  }
  const { form } = field.rules
  if (!form.isList) return passes(onlyItem(field, cell, queries))
  const { table, item } = queries.items(cell, 'i')
  return sql`exists (select 1 from ${table} where ${passes(jsonItem(form.item, item, sql.ref('i.value')))})`
}

/** What an item is compared by; dates by their day, by the clocks of the field that is asked. */
export function comparedBy(
  { rules: { form } }: SchemaField,
  comparison: Comparison,
  item: ItemValue,
  dialect: SqlDialect,
): RawBuilder<string> {
  if (form.item.kind === 'date') {
    return localText(item, form.item.formatting.timeZone, granularityLengths.day, dialect)
  }
  return comparison === 'contains' ? dialect.queries.fold(item.text) : item.value
}

/** Whether two cells share items; see `sharesItems`. Sets are compared as such, whatever their length. */
export function sharedSql(
  { field, other, extent }: Extract<Condition, { kind: 'shared' }>,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const [first, second] = [itemsSql(field, 'i', dialect), itemsSql(other, 'j', dialect)]
  if (!first || !second) return holdsNot
  const without = (a: RawBuilder<unknown>, b: RawBuilder<unknown>) =>
    sql`not exists (${a} except ${b})`
  if (extent === 'some') return sql`exists (${first} intersect ${second})`
  const hasAll = sql<boolean>`exists (${first}) and exists (${second}) and ${without(second, first)}`
  return extent === 'all' ? sql`(${hasAll})` : sql`(${hasAll} and ${without(first, second)})`
}

/** What the items of a cell are compared by, as a table; undefined for a broken field. */
function itemsSql(
  field: SchemaField,
  name: string,
  { queries }: SqlDialect,
): RawBuilder<unknown> | undefined {
  const cell = cellColumn(field)
  if (!cell) return undefined
  const { form } = field.rules
  if (!form.isList) {
    const { value } = onlyItem(field, cell, queries)
    return sql`select ${value} where ${value} is not null`
  }
  const { table, item } = queries.items(cell, name)
  const { value } = jsonItem(form.item, item, sql.ref(`${name}.value`))
  return sql`select ${value} from ${table} where ${value} is not null`
}

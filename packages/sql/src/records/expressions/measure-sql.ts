import type { Measured, MeasureKind } from '@gateleg/domain/queries/statistics'
import type { Measure } from '@gateleg/domain/records/reading/record-finder'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { cellColumn, jsonItem, onlyItem } from './cell-value.ts'

/** A quintillion of them can be added up. */
const largestAdded = 1e290

/** The records that are measured: a table, and which of its rows, as `t`. */
export interface MeasuredRows {
  readonly table: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
}

/** The measure of the cells of a field as an aggregate over the table as `t`. */
export function measureSql(
  { field, kind }: Measure,
  dialect: SqlDialect,
  rows: MeasuredRows,
): RawBuilder<unknown> {
  const { queries } = dialect
  const cell = cellColumn(field)
  if (!cell) return sql`null`
  if (kind === 'filled') return sql`count(${cell})`
  const { form } = field.rules
  if (!form.isList) {
    const { value } = onlyItem(field, cell, queries)
    return aggregateOf(kind, value, dialect)
  }
  if (isOfAllItems({ field, kind })) {
    const { table, aggregate } = itemsMeasured({ field, kind }, dialect)
    return sql`(select ${aggregate} from ${rows.table} as t cross join ${table} where ${rows.where})`
  }
  const { table, item } = queries.items(cell, 'i')
  const { value } = jsonItem(form.item, item, sql.ref('i.value'))
  if (kind === 'bytes') {
    return sql`sum((select sum(${item.numberMember('size')}) from ${table}))`
  }
  const ofCell = (aggregate: RawBuilder<unknown>) => sql`(select ${aggregate} from ${table})`
  const measured = ofCell(aggregateOf(kind, value, dialect))
  // A record is checked where some item is, as a filter has it.
  if (kind === 'checked') return sql`sum(case when ${measured} > 0 then 1 else 0 end)`
  if (kind === 'least') return sql`min(${measured})`
  return kind === 'greatest' ? sql`max(${measured})` : sql`sum(${measured})`
}

/** Whether items of all lists together are measured: they can't be told apart within one of them. */
export function isOfAllItems({ field, kind }: Measure): boolean {
  return kind === 'unique' && field.rules.form.isList && cellColumn(field) !== undefined
}

/** The measure of such items, as an aggregate over the table as `t` and a table of items that it is joined with. */
export function itemsMeasured({ field, kind }: Measure, dialect: SqlDialect) {
  const { queries } = dialect
  const { table, item } = queries.items(cellColumn(field) ?? sql`null`, 'i')
  const { value } = jsonItem(field.rules.form.item, item, sql.ref('i.value'))
  return { table: queries.lateral(table), aggregate: aggregateOf(kind, value, dialect) }
}

/**
 * Infinite where a number is so large that adding up might leave the numbers that there are: `toMeasured` makes null of
 * it. It counts as infinite in the sum itself, as looking for the largest number takes as long as adding up.
 */
function sumOf(value: RawBuilder<unknown>, { queries }: SqlDialect): RawBuilder<unknown> {
  const isLarge = sql`abs(${value}) >= ${sql.lit(largestAdded)}`
  const infinite = queries.given(Number.POSITIVE_INFINITY, 'REAL')
  return queries.sum(sql`(case when ${isLarge} then ${infinite} else ${value} end)`)
}

function aggregateOf(
  kind: MeasureKind,
  value: RawBuilder<never>,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  switch (kind) {
    case 'unique':
      return sql`count(distinct ${value})`
    case 'least':
      return sql`min(${value})`
    case 'greatest':
      return sql`max(${value})`
    case 'checked':
      return sql`sum(case when ${value} then 1 else 0 end)`
    case 'sum':
      return sumOf(value, dialect)
    default:
      return sql`count(${value})`
  }
}

/** A measure that was read: times as texts, all else as numbers, null for one that is not finite. */
export function toMeasured({ rules }: SchemaField, kind: MeasureKind, value: unknown): Measured {
  if (value === null || value === undefined) return null
  const isTime = rules.form.item.kind === 'date' && (kind === 'least' || kind === 'greatest')
  if (isTime) return value as string
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

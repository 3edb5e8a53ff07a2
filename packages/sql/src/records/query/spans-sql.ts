import type { Calendar, FoundSpans } from '@gateleg/domain/records/reading/record-finder'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { granularityLengths } from '@gateleg/domain/values/dates/date-format'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { cellColumn, onlyItem } from '../expressions/cell-value.ts'
import type { MeasuredRows } from '../expressions/measure-sql.ts'
import { localText } from '../expressions/plain-value.ts'

/** Runs a statement. */
type ReadRows = (statement: RawBuilder<unknown>) => Promise<readonly (readonly unknown[])[]>

/** The days of the rows, by one pass that counts and one that picks those that are told. */
export async function findSpans(
  read: ReadRows,
  dialect: SqlDialect,
  rows: MeasuredRows,
  calendar: Calendar,
): Promise<FoundSpans> {
  const within = spansSql(dialect, rows, calendar)
  const counted = await read(sql`select f, e, count(*) from (${within}) as w group by 1, 2`)
  const place = sql`row_number() over (partition by f order by e desc, n) as r`
  const picked = await read(
    sql`select id from (select id, f, e, n, ${place} from (${within}) as w) as p where r <= ${calendar.perDay} order by f, e desc, n`,
  )
  return {
    spans: counted.map(([from, to, records]) => ({
      from: from as string,
      to: to as string,
      records: Number(records),
    })),
    ids: picked.map(([id]) => id as string),
  }
}

/** A row for each record: its id, its number `n`, and its first and last day within the calendar, `f` and `e`. */
function spansSql(
  dialect: SqlDialect,
  { table, where }: MeasuredRows,
  { start, end, firstDay, lastDay }: Calendar,
): RawBuilder<unknown> {
  const { given } = dialect.queries
  const [first, last] = [given(firstDay, 'TEXT'), given(lastDay, 'TEXT')]
  const within = (day: RawBuilder<unknown>) =>
    sql`case when ${day} < ${first} then ${first} when ${day} > ${last} then ${last} else ${day} end`
  const id = sql`t.${sql.id(systemColumns.id.name)} as id`
  const number = sql`t.${sql.id(systemColumns.autoNumber.name)} as n`
  const days = sql`${dayOf(start, dialect)} as a, ${dayOf(end, dialect)} as b`
  const found = sql`select ${id}, ${number}, ${days} from ${table} as t where ${where}`
  // What has no last day, or one before its first, is on its first day alone.
  const ended = sql`select id, n, a, case when b > a then b else a end as z from (${found}) as d`
  return sql`select id, n, ${within(sql`a`)} as f, ${within(sql`z`)} as e from (${ended}) as d where a is not null`
}

/** The day that a date is on by the clocks of its field. */
function dayOf(field: SchemaField, dialect: SqlDialect): RawBuilder<unknown> {
  const cell = cellColumn(field)
  const { item } = field.rules.form
  if (!cell || item.kind !== 'date') return dialect.queries.given(null, 'TEXT')
  const { timeZone } = item.formatting
  return localText(
    onlyItem(field, cell, dialect.queries),
    timeZone,
    granularityLengths.day,
    dialect,
  )
}

import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { dateGranularity, granularityLengths } from '@gateleg/domain/values/dates/date-format'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import type { ItemValue } from './cell-value.ts'

/** Whether an item is ordered as a text or a number. */
export function sortType({ kind }: ItemForm): 'TEXT' | 'REAL' {
  return kind === 'number' || kind === 'boolean' || kind === 'press' || kind === 'choice'
    ? 'REAL'
    : 'TEXT'
}

/** What items that no text, title or place orders are ordered by: see `plainValueOf`. */
export function plainValue(
  form: ItemForm,
  item: ItemValue,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { value, presses } = item
  switch (form.kind) {
    case 'boolean':
      return sql`case when ${value} then 1 when not ${value} then 0 end`
    case 'press':
      return presses ?? sql`null`
    case 'date': {
      const shown = granularityLengths[dateGranularity(form.formatting)]
      return localText(item, form.formatting.timeZone, shown, dialect)
    }
    default:
      return value
  }
}

/** What the clocks of a zone show at the moment that an item is, in so many characters. */
export function localText(
  item: ItemValue,
  zone: string,
  length: number,
  dialect: SqlDialect,
): RawBuilder<string> {
  const moment = momentOf(item, dialect)
  return dialect.queries.localText(moment, timeZone(zone).isUtc ? 'UTC' : zone, length)
}

/** The moment that a date is, whether it is a cell or an item that JSON has. */
export function momentOf({ value, type }: ItemValue, { queries }: SqlDialect): RawBuilder<string> {
  return type === 'DATETIME' ? value : queries.toMoment(value)
}

/** The text of a truth value; null for an empty one. */
export function booleanText({ value }: ItemValue): RawBuilder<string> {
  return sql`case when ${value} then 'true' when not ${value} then 'false' end`
}

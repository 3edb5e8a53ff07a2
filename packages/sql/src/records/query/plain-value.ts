import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { dateGranularity, granularityLengths } from '@gateleg/domain/values/date-format'
import { timeZone } from '@gateleg/domain/values/time-zone'
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
  { value, type }: ItemValue,
  zone: string,
  length: number,
  { queries }: SqlDialect,
): RawBuilder<string> {
  const moment = type === 'DATETIME' ? value : queries.toMoment(value)
  return queries.localText(moment, timeZone(zone).isUtc ? 'UTC' : zone, length)
}

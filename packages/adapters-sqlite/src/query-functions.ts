import { hash } from 'node:crypto'
import { formatNumber } from '@gateleg/domain/fields/cells/number-format'
import type { NumberFormatting } from '@gateleg/domain/fields/cells/number-formatting'
import { numberBits } from '@gateleg/domain/queries/group-identity'
import { localSortText } from '@gateleg/domain/queries/local-sort-text'
import { localFormat } from '@gateleg/domain/values/date-format'
import type { DateFormatting } from '@gateleg/domain/values/date-formatting'
import { foldCase } from '@gateleg/domain/values/text'
import { timeZone } from '@gateleg/domain/values/time-zone'
import type Database from 'better-sqlite3'

/** Adds the functions to a connection that queries need and SQLite lacks; see the dialect. For null they give null. */
export function addQueryFunctions(database: Database.Database): void {
  database.function('gateleg_fold', { deterministic: true }, (text) =>
    typeof text === 'string' ? foldCase(text) : null,
  )
  database.function('gateleg_digest', { deterministic: true }, (text) =>
    typeof text === 'string' ? hash('sha256', text) : null,
  )
  database.function('gateleg_bits', { deterministic: true }, (number) =>
    typeof number === 'number' ? numberBits(number) : null,
  )
  database.function('gateleg_local', { deterministic: true }, (moment, zone) =>
    typeof moment === 'string' ? localSortText(moment, timeZone(String(zone))) : null,
  )
  database.function('gateleg_number', { deterministic: true }, (value, type, precision, symbol) =>
    typeof value === 'number' ? shownNumber(value, { type, precision, symbol }) : null,
  )
  database.function('gateleg_date', { deterministic: true }, (moment, date, time, zone) => {
    if (typeof moment !== 'string') return null
    const show = localFormat({ date, time } as Pick<DateFormatting, 'date' | 'time'>)
    return foldCase(show(localSortText(moment, timeZone(String(zone)))))
  })
}

/** Takes what the dialect hands over. */
function shownNumber(value: number, formatting: Readonly<Record<string, unknown>>): string {
  if (formatting.type === 'plain') return String(value)
  return foldCase(formatNumber(value, formatting as NumberFormatting))
}

import { hash } from 'node:crypto'
import { numberBits } from '@gateleg/domain/queries/group-identity'
import { localFormat, toLocalText } from '@gateleg/domain/values/dates/date-format'
import type { DateFormatting } from '@gateleg/domain/values/dates/date-formatting'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { formatNumber } from '@gateleg/domain/values/number-format'
import type { NumberFormatting } from '@gateleg/domain/values/number-formatting'
import { foldCase } from '@gateleg/domain/values/text'
import { SqlFailure } from '@gateleg/sql/core/connection'
import type Database from 'better-sqlite3'

/**
 * Adds the functions to a connection that queries need and SQLite lacks; see the dialect. For null they give null. Where
 * it is told when statements are to stop, each makes the statement fail that calls it then: nothing else can.
 */
export function addQueryFunctions(database: Database.Database, isStopped?: () => boolean): void {
  const add = (name: string, call: QueryFunction) =>
    database.function(name, { deterministic: true }, isStopped ? stoppable(call, isStopped) : call)
  add('gateleg_fold', (text) => (typeof text === 'string' ? foldCase(text) : null))
  add('gateleg_digest', (text) => (typeof text === 'string' ? hash('sha256', text) : null))
  add('gateleg_bits', (number) => (typeof number === 'number' ? numberBits(number) : null))
  add('gateleg_local', (moment, zone) =>
    typeof moment === 'string' ? toLocalText(moment, timeZone(String(zone))) : null,
  )
  add('gateleg_number', (value, type, precision, symbol) =>
    typeof value === 'number' ? shownNumber(value, { type, precision, symbol }) : null,
  )
  add('gateleg_date', (moment, date, time, zone) => {
    if (typeof moment !== 'string') return null
    const show = localFormat({ date, time } as Pick<DateFormatting, 'date' | 'time'>)
    return foldCase(show(toLocalText(moment, timeZone(String(zone)))))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: as the driver has it, which hands over whatever SQL does
type QueryFunction = (...values: any[]) => unknown

function stoppable(call: QueryFunction, isStopped: () => boolean): QueryFunction {
  const checked: QueryFunction = (...values) => {
    if (isStopped()) throw new SqlFailure('unavailable', 'It was stopped', undefined)
    return call(...values)
  }
  // By that the driver tells how many values it takes.
  return Object.defineProperty(checked, 'length', { value: call.length })
}

/** Takes what the dialect hands over. */
function shownNumber(value: number, formatting: Readonly<Record<string, unknown>>): string {
  if (formatting.type === 'plain') return String(value)
  return foldCase(formatNumber(value, formatting as NumberFormatting))
}

import { limits } from '../../limits.ts'
import { toDayNumber } from '../../values/dates/civil-time.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { type DatePattern, parseDatePattern } from '../dates/date-pattern.ts'
import { addUnits, type DateUnit, diffUnits, startOfUnit } from '../dates/date-units.ts'
import { fromLocalMs, momentOfText, momentOfTimestamp, toLocalMs } from '../dates/moment.ts'
import { readDate, tellsYear } from '../dates/read-date.ts'
import { addWorkdays, countWorkdays } from '../dates/workdays.ts'
import { writeDate } from '../dates/write-date.ts'
import type { Evaluation } from '../runtime/evaluation.ts'
import type { Expression } from '../syntax/expression.ts'
import { datePartFunctions } from './date-parts.ts'
import { define } from './define.ts'
import { holidays } from './holidays.ts'
import { datePattern, moment, number, readablePattern, text, unit } from './parameters.ts'

const readsNow = () => 'now' as const

const clock = { parameters: [], result: 'dateTime', reads: readsNow } as const

const today = define({ ...clock, name: 'TODAY' }, (_, { row, zone }) => {
  const now = momentOfTimestamp(row.now)
  return now === null ? null : startOfUnit(now, 'day', zone)
})

/** FROMNOW counts from now to the date, TONOW from the date to now. */
function sinceNow(
  name: string,
  count: (date: number, now: number, unit: DateUnit, zone: TimeZone) => number,
) {
  return define(
    { name, parameters: [moment, unit] as const, optional: 1, result: 'number', reads: readsNow },
    ([date, by], { row, zone }) => {
      const now = momentOfTimestamp(row.now)
      if (date === null || now === null || by === undefined) return null
      return count(date, now, by ?? 'day', zone)
    },
  )
}

/** Compares two dates, to the millisecond or by the unit that each lies in; without two, false. */
function comparison(name: string, holds: (a: number, b: number) => boolean) {
  return define(
    { name, parameters: [moment, moment, unit] as const, optional: 1, result: 'boolean' },
    ([a, b, by], { zone }) => {
      if (a === null || b === null || by === undefined) return false
      if (by === null) return holds(a, b)
      return holds(startOfUnit(a, by, zone), startOfUnit(b, by, zone))
    },
  )
}

/** A date in a fixed or a given pattern. */
function written(date: number | null, pattern: DatePattern, { zone }: Evaluation): string | null {
  return date === null ? null : writeDate(date, pattern, zone)
}

function fixedPattern(name: string, pattern: string) {
  const parts = parseDatePattern(pattern) ?? []
  return define({ name, parameters: [moment] as const, result: 'string' }, ([date], evaluation) =>
    written(date, parts, evaluation),
  )
}

const isoPattern = parseDatePattern('YYYY-MM-DDTHH:mm:ssZ') ?? []

const datetimeFormat = define(
  {
    name: 'DATETIME_FORMAT',
    parameters: [moment, datePattern] as const,
    optional: 1,
    result: 'string',
  },
  ([date, pattern], evaluation) =>
    pattern === undefined ? null : written(date, pattern ?? isoPattern, evaluation),
)

/** A format that tells the year leaves nothing to be taken from now. */
function parsingReads([, format]: readonly Expression[]): 'now' | undefined {
  if (!format) return undefined
  const pattern = format.kind === 'string' ? parseDatePattern(format.value) : undefined
  return pattern && tellsYear(pattern) ? undefined : 'now'
}

const datetimeParse = define(
  {
    name: 'DATETIME_PARSE',
    parameters: [text, readablePattern] as const,
    optional: 1,
    result: 'dateTime',
    reads: parsingReads,
  },
  ([source, pattern], { row, zone }) => {
    if (source === null || pattern === undefined) return null
    if (pattern === null) return momentOfText(source, zone)
    return readDate(source, pattern, { zone, nowMs: momentOfTimestamp(row.now) ?? 0 })
  },
)

const datetimeDiff = define(
  {
    name: 'DATETIME_DIFF',
    parameters: [moment, moment, unit] as const,
    optional: 1,
    result: 'number',
  },
  ([a, b, by], { zone }) =>
    a === null || b === null || by === undefined ? null : diffUnits(a, b, by ?? 'day', zone),
)

const dateAdd = define(
  { name: 'DATE_ADD', parameters: [moment, number, unit] as const, result: 'dateTime' },
  ([date, count, by], { zone }) =>
    date === null || !by ? null : addUnits(date, count ?? 0, by, zone),
)

const workday = define(
  {
    name: 'WORKDAY',
    parameters: [moment, number, holidays] as const,
    optional: 1,
    result: 'dateTime',
  },
  ([date, count, free], { zone }) => {
    if (date === null || Math.abs(count ?? 0) > limits.workdays) return null
    const local = toLocalMs(date, zone)
    const day = toDayNumber(local)
    const end = addWorkdays(day, Math.trunc(count ?? 0), free)
    return fromLocalMs(local + (end - day) * dayMs, zone)
  },
)

const workdayDiff = define(
  {
    name: 'WORKDAY_DIFF',
    parameters: [moment, moment, holidays] as const,
    optional: 1,
    result: 'number',
  },
  ([first, last, free], { zone }) => {
    if (first === null || last === null) return null
    const day = (date: number) => toDayNumber(toLocalMs(date, zone))
    return countWorkdays(day(first), day(last), free)
  },
)

export const dateTimeFunctions = [
  today,
  define({ ...clock, name: 'NOW' }, (_, { row }) => momentOfTimestamp(row.now)),
  ...datePartFunctions,
  sinceNow('FROMNOW', (date, now, by, zone) => diffUnits(date, now, by, zone)),
  sinceNow('TONOW', (date, now, by, zone) => diffUnits(now, date, by, zone)),
  datetimeDiff,
  workday,
  workdayDiff,
  comparison('IS_SAME', (a, b) => a === b),
  comparison('IS_AFTER', (a, b) => a > b),
  comparison('IS_BEFORE', (a, b) => a < b),
  dateAdd,
  fixedPattern('DATESTR', 'YYYY-MM-DD'),
  fixedPattern('TIMESTR', 'HH:mm:ss'),
  datetimeFormat,
  datetimeParse,
]

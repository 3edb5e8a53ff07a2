import {
  addMonths,
  fromCivil,
  monthsBetween,
  toCivil,
  toDayNumber,
  weekdayOf,
} from '../../values/dates/civil-time.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { fromLocalMs, toLocalMs } from './moment.ts'

/** What dates are counted in. */
export type DateUnit = keyof typeof unitSizes

/** A unit is either of a fixed length or a number of calendar days or months. */
const unitSizes = {
  millisecond: { ms: 1 },
  second: { ms: 1_000 },
  minute: { ms: 60_000 },
  hour: { ms: 3_600_000 },
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
} as const satisfies Record<string, { ms: number } | { days: number } | { months: number }>

/** Letters that stand for a unit; M is not m. */
const abbreviations: Readonly<Record<string, DateUnit>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  D: 'day',
  w: 'week',
  W: 'week',
  M: 'month',
  Q: 'quarter',
  q: 'quarter',
  y: 'year',
  Y: 'year',
}

/** The unit that a text names: `day`, `days` in any case, or `d`. */
export function findDateUnit(text: string): DateUnit | undefined {
  const trimmed = text.trim()
  if (Object.hasOwn(abbreviations, trimmed)) return abbreviations[trimmed]
  const name = trimmed.toLowerCase().replace(/s$/, '')
  return Object.hasOwn(unitSizes, name) ? (name as DateUnit) : undefined
}

/** Adds whole units; a day that the month lacks becomes its last. NaN or out of range when far away. */
export function addUnits(epochMs: number, count: number, unit: DateUnit, zone: TimeZone): number {
  const size = unitSizes[unit]
  if ('ms' in size) return epochMs + count * size.ms
  const local = toLocalMs(epochMs, zone)
  const whole = Math.trunc(count)
  const moved =
    'days' in size ? local + whole * size.days * dayMs : addMonths(local, whole * size.months)
  return fromLocalMs(moved, zone)
}

/** The first moment of the unit that a moment lies in; weeks begin on Sunday. */
export function startOfUnit(epochMs: number, unit: DateUnit, zone: TimeZone): number {
  const size = unitSizes[unit]
  const local = toLocalMs(epochMs, zone)
  if ('ms' in size) return epochMs - (local - Math.floor(local / size.ms) * size.ms)
  const day = toDayNumber(local)
  if ('days' in size) {
    const first = unit === 'week' ? day - weekdayOf(day) : day
    return fromLocalMs(first * dayMs, zone)
  }
  const { year, month } = toCivil(local)
  const firstMonth = month - ((month - 1) % size.months)
  const time = { year, month: firstMonth, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 }
  return fromLocalMs(fromCivil(time), zone)
}

/** How many whole units lie from `to` until `from`; negative when `from` is the earlier. */
export function diffUnits(from: number, to: number, unit: DateUnit, zone: TimeZone): number {
  const size = unitSizes[unit]
  if ('ms' in size) return Math.trunc((from - to) / size.ms)
  const localFrom = toLocalMs(from, zone)
  const localTo = toLocalMs(to, zone)
  if ('days' in size) return Math.trunc((localFrom - localTo) / (size.days * dayMs))
  return Math.trunc(monthsBetween(localFrom, localTo) / size.months)
}

import { type Timestamp, toTimestamp } from '../../clock.ts'
import { daysInMonth } from './civil-time.ts'
import type { DatePreset } from './date-formatting.ts'
import type { TimeZone } from './time-zone.ts'
import { firstMs, lastMs } from './year-range.ts'

const storedForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isoForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** One to three numbers, then perhaps a time with or without AM or PM, and a zone. */
const looseForm =
  /^(\d{1,4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,4}))?)?(?:(?:T|,? )(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?([AP]M))?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * The moment that a text in ISO 8601 names: a date (midnight in the zone), a date and a time (by the
 * clocks of the zone; a space may stand for the T), or those with `Z` or an offset. Undefined for any other text, for days that
 * don't exist and for years before 1 or after 9999. Parts below a millisecond are cut off.
 */
export function timestampFromIso(text: string, zone: TimeZone): Timestamp | undefined {
  if (storedForm.test(text)) return isStoredMoment(text) ? text : undefined
  const match = isoForm.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, offset] = match
  return timestampOf({ year, month, day, hour, minute, second, fraction, offset }, zone)
}

/**
 * The moment that a text names as people write it: in ISO 8601, or with the parts of the date in the
 * order of the preset. Undefined for a text that names no day, month or year of the calendar.
 */
export function timestampFromText(
  text: string,
  preset: DatePreset,
  zone: TimeZone,
): Timestamp | undefined {
  const trimmed = text.trim()
  const iso = timestampFromIso(trimmed, zone)
  if (iso !== undefined) return iso
  const match = looseForm.exec(trimmed)
  if (!match) return undefined
  const [, first = '', second, third, hour, minute, seconds, fraction, half, offset] = match
  const date = toDate([first, second, third], preset)
  const fullHour = half === undefined ? hour : toFullHour(hour, half)
  if (!date || (hour !== undefined && fullHour === undefined)) return undefined
  return timestampOf({ ...date, hour: fullHour, minute, second: seconds, fraction, offset }, zone)
}

type DateParts = Record<'year' | 'month' | 'day', string | undefined>
type MomentParts = DateParts &
  Record<'hour' | 'minute' | 'second' | 'fraction' | 'offset', string | undefined>

/** Which number is which: a year has four digits; whether the day or the month is first the preset says. */
function toDate(
  [first, second, third]: readonly [string, string | undefined, string | undefined],
  preset: DatePreset,
): DateParts | undefined {
  if (first.length === 4) {
    const isDate = second !== undefined || preset === 'YYYY'
    return isDate ? { year: first, month: second ?? '1', day: third ?? '1' } : undefined
  }
  if (third?.length !== 4) return undefined
  return preset === 'D/M/YYYY'
    ? { year: third, month: second, day: first }
    : { year: third, month: first, day: second }
}

function toFullHour(hour: string | undefined, half: string): string | undefined {
  const shown = Number(hour)
  if (shown < 1 || shown > 12) return undefined
  return String((shown % 12) + (half.toUpperCase() === 'PM' ? 12 : 0))
}

function timestampOf(parts: MomentParts, zone: TimeZone): Timestamp | undefined {
  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)]
  const [hour, minute] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0)]
  const second = Number(parts.second ?? 0)
  const ms = Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0'))
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined
  const localMs = new Date(0).setUTCFullYear(year, month - 1, day)
  const local = localMs + ((hour * 60 + minute) * 60 + second) * 1_000 + ms
  const offset = parts.offset === undefined ? undefined : toOffset(parts.offset)
  if (Number.isNaN(offset)) return undefined
  const epochMs = offset === undefined ? zone.toEpoch(local) : local - offset
  return epochMs >= firstMs && epochMs <= lastMs ? toTimestamp(epochMs) : undefined
}

/** Milliseconds that `Z`, `+05`, `+0530` or `+05:30` is ahead of UTC; NaN for more than a day. */
function toOffset(offset: string): number {
  if (offset.length === 1) return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return Number.NaN
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function isStoredMoment(text: string): boolean {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  return (
    isDay(year, twoDigits(text, 5), twoDigits(text, 8)) &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59
  )
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
}

function isDay(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

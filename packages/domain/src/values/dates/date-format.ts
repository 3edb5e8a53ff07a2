import type { Timestamp } from '../../clock.ts'
import type { DateFormatting, DatePreset } from './date-formatting.ts'
import { type TimeZone, timeZone } from './time-zone.ts'
import { withinYears } from './year-range.ts'

/** Gives a function that makes the text of a moment. */
export function dateFormat(formatting: DateFormatting) {
  const zone = timeZone(formatting.timeZone)
  const show = localFormat(formatting)
  return (moment: Timestamp): string => show(toLocalText(moment, zone))
}

/** Gives a function that makes the text of a local time, which is given in the form of a Timestamp. */
export function localFormat({ date, time }: Pick<DateFormatting, 'date' | 'time'>) {
  const showDate = dateTexts[date]
  if (time === 'None') return showDate
  return (local: string): string =>
    `${showDate(local)} ${time === 'HH:mm' ? local.slice(11, 16) : toHalfDayTime(local)}`
}

const dateTexts: Record<DatePreset, (local: string) => string> = {
  'M/D/YYYY': (local) => `${month(local)}/${day(local)}/${local.slice(0, 4)}`,
  'D/M/YYYY': (local) => `${day(local)}/${month(local)}/${local.slice(0, 4)}`,
  'YYYY/MM/DD': (local) => `${local.slice(0, 4)}/${local.slice(5, 7)}/${local.slice(8, 10)}`,
  'YYYY-MM-DD': (local) => local.slice(0, 10),
  'YYYY-MM': (local) => local.slice(0, 7),
  'MM-DD': (local) => local.slice(5, 10),
  YYYY: (local) => local.slice(0, 4),
  MM: (local) => local.slice(5, 7),
  DD: (local) => local.slice(8, 10),
}

const month = (local: string): number => Number(local.slice(5, 7))
const day = (local: string): number => Number(local.slice(8, 10))

function toHalfDayTime(local: string): string {
  const hour = Number(local.slice(11, 13))
  const shown = String(hour % 12 || 12).padStart(2, '0')
  return `${shown}:${local.slice(14, 16)} ${hour < 12 ? 'AM' : 'PM'}`
}

/**
 * The local time of a moment in the zone, in the form of a Timestamp: by that dates are shown, ordered and told apart. A
 * year has four digits, and is 1 at least: near both ends the local time stops there.
 */
export function toLocalText(moment: Timestamp, zone: TimeZone): string {
  if (zone.isUtc) return moment
  const epochMs = Date.parse(moment)
  return new Date(withinYears(epochMs + zone.offsetAt(epochMs))).toISOString()
}

type DateGranularity = 'year' | 'month' | 'day' | 'minute'

/** The smallest part of a moment that the formatting shows; moments are ordered down to it. */
export function dateGranularity({ date, time }: DateFormatting): DateGranularity {
  if (time !== 'None') return 'minute'
  if (date === 'YYYY') return 'year'
  return date === 'YYYY-MM' || date === 'MM' ? 'month' : 'day'
}

/** How many characters of a Timestamp hold the date down to each part. */
export const granularityLengths = { year: 4, month: 7, day: 10, minute: 16 }

/** Orders moments by the parts that are shown. */
export function compareDates(formatting: DateFormatting) {
  const zone = timeZone(formatting.timeZone)
  const length = granularityLengths[dateGranularity(formatting)]
  return (a: Timestamp, b: Timestamp): number =>
    a === b ? 0 : comparePrefixes(toLocalText(a, zone), toLocalText(b, zone), length)
}

function comparePrefixes(a: string, b: string, length: number): number {
  for (let i = 0; i < length; i++) {
    const order = a.charCodeAt(i) - b.charCodeAt(i)
    if (order !== 0) return order
  }
  return 0
}

import { dayMs } from './time-zone.ts'

/** A day and time of day on a clock somewhere, without saying where. */
export interface CivilTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

/**
 * The day that a local time lies in, counted from 1970-01-01. A local time ("localMs") is what the clock
 * on the wall shows, in milliseconds as if that clock showed UTC.
 */
export function toDayNumber(localMs: number): number {
  return Math.floor(localMs / dayMs)
}

/** 0 is Sunday. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 4) % 7) + 7) % 7
}

/** The date and time of day of a local time, which is given in milliseconds since 1970. */
export function toCivil(localMs: number): CivilTime {
  const date = new Date(localMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  }
}

/** The local time of a date and time of day; NaN further from 1970 than a `Date` reaches, some 270,000 years. */
export function fromCivil(time: CivilTime): number {
  const date = new Date(0)
  date.setUTCFullYear(time.year, time.month - 1, time.day)
  return date.setUTCHours(time.hour, time.minute, time.second, time.millisecond)
}

/** The number of a day of the calendar, counted from 1970-01-01. */
export function dayNumberOf(year: number, month: number, day: number): number {
  return toDayNumber(fromCivil({ year, month, day, hour: 0, minute: 0, second: 0, millisecond: 0 }))
}

/** How many days the month of the year has; 1 is January. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether the date and the time of day exist. */
export function isCivil(time: CivilTime): boolean {
  const { year, month, day, hour, minute, second } = time
  return (
    year >= 1 &&
    year <= 9999 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  )
}

/** The local time so many months later, or earlier; a day that the month lacks becomes its last. */
export function addMonths(localMs: number, count: number): number {
  const time = toCivil(localMs)
  const months = time.year * 12 + (time.month - 1) + count
  const year = Math.floor(months / 12)
  const month = months - year * 12 + 1
  return fromCivil({ ...time, year, month, day: Math.min(time.day, daysInMonth(year, month)) })
}

/**
 * How many whole months lie from one local time until another; negative when that is the earlier. The last day of a
 * month is as many months after a day that the month lacks: from January 31 until February 28 it is one.
 */
export function monthsBetween(localUntil: number, localSince: number): number {
  const until = toCivil(localUntil)
  const since = toCivil(localSince)
  const months = (until.year - since.year) * 12 + until.month - since.month
  const reached = addMonths(localSince, months)
  if (months > 0 && reached > localUntil) return months - 1
  if (months < 0 && reached < localUntil) return months + 1
  return months
}

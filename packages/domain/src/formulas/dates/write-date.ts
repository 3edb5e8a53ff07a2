import {
  type CivilTime,
  dayNumberOf,
  toCivil,
  toDayNumber,
  weekdayOf,
} from '../../values/dates/civil-time.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import { monthNames, weekdayNames } from './date-names.ts'
import type { DatePattern, DateToken } from './date-pattern.ts'
import { isoWeekNumber, weekNumber } from './week-number.ts'

interface ShownMoment extends CivilTime {
  readonly epochMs: number
  readonly offsetMs: number
  readonly dayNumber: number
  /** 0 is Sunday. */
  readonly weekday: number
}

/** Writes a moment, in the time of a zone. */
export function writeDate(epochMs: number, pattern: DatePattern, zone: TimeZone): string {
  const offsetMs = zone.offsetAt(epochMs)
  const localMs = epochMs + offsetMs
  const dayNumber = toDayNumber(localMs)
  const weekday = weekdayOf(dayNumber)
  const moment = { ...toCivil(localMs), epochMs, offsetMs, dayNumber, weekday }
  let text = ''
  for (const part of pattern) text += part.token ? writers[part.token](moment) : part.text
  return text
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

/** 1st, 2nd, 3rd, 4th, 11th, ... */
function ordinal(value: number): string {
  const tens = value % 100
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')
  return `${value}${suffix}`
}

function quarter({ month }: ShownMoment): number {
  return Math.ceil(month / 3)
}

function dayOfYear({ dayNumber, year }: ShownMoment): number {
  return dayNumber - dayNumberOf(year, 1, 1) + 1
}

function hour12({ hour }: ShownMoment): number {
  return hour % 12 || 12
}

function offset({ offsetMs }: ShownMoment, separator: string): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const sign = offsetMs < 0 ? '-' : '+'
  return `${sign}${pad(Math.floor(minutes / 60), 2)}${separator}${pad(minutes % 60, 2)}`
}

const writers: Readonly<Record<DateToken, (moment: ShownMoment) => string>> = {
  YYYY: ({ year }) => pad(year, 4),
  YY: ({ year }) => pad(year % 100, 2),
  GGGG: ({ dayNumber }) => pad(isoWeekNumber(dayNumber).year, 4),
  gggg: ({ dayNumber }) => pad(weekNumber(dayNumber, 0).year, 4),
  Qo: (moment) => ordinal(quarter(moment)),
  Q: (moment) => String(quarter(moment)),
  MMMM: ({ month }) => monthNames[month - 1] ?? '',
  MMM: ({ month }) => monthNames[month - 1]?.slice(0, 3) ?? '',
  MM: ({ month }) => pad(month, 2),
  Mo: ({ month }) => ordinal(month),
  M: ({ month }) => String(month),
  DDDD: (moment) => pad(dayOfYear(moment), 3),
  DDDo: (moment) => ordinal(dayOfYear(moment)),
  DDD: (moment) => String(dayOfYear(moment)),
  DD: ({ day }) => pad(day, 2),
  Do: ({ day }) => ordinal(day),
  D: ({ day }) => String(day),
  dddd: ({ weekday }) => weekdayNames[weekday] ?? '',
  ddd: ({ weekday }) => weekdayNames[weekday]?.slice(0, 3) ?? '',
  dd: ({ weekday }) => weekdayNames[weekday]?.slice(0, 2) ?? '',
  do: ({ weekday }) => ordinal(weekday),
  d: ({ weekday }) => String(weekday),
  E: ({ weekday }) => String(weekday || 7),
  ww: ({ dayNumber }) => pad(weekNumber(dayNumber, 0).week, 2),
  wo: ({ dayNumber }) => ordinal(weekNumber(dayNumber, 0).week),
  w: ({ dayNumber }) => String(weekNumber(dayNumber, 0).week),
  WW: ({ dayNumber }) => pad(isoWeekNumber(dayNumber).week, 2),
  Wo: ({ dayNumber }) => ordinal(isoWeekNumber(dayNumber).week),
  W: ({ dayNumber }) => String(isoWeekNumber(dayNumber).week),
  HH: ({ hour }) => pad(hour, 2),
  H: ({ hour }) => String(hour),
  hh: (moment) => pad(hour12(moment), 2),
  h: (moment) => String(hour12(moment)),
  kk: ({ hour }) => pad(hour || 24, 2),
  k: ({ hour }) => String(hour || 24),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  a: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  mm: ({ minute }) => pad(minute, 2),
  m: ({ minute }) => String(minute),
  ss: ({ second }) => pad(second, 2),
  s: ({ second }) => String(second),
  SSS: ({ millisecond }) => pad(millisecond, 3),
  SS: ({ millisecond }) => pad(Math.floor(millisecond / 10), 2),
  S: ({ millisecond }) => String(Math.floor(millisecond / 100)),
  ZZ: (moment) => offset(moment, ''),
  Z: (moment) => offset(moment, ':'),
  X: ({ epochMs }) => String(Math.floor(epochMs / 1000)),
  x: ({ epochMs }) => String(epochMs),
}

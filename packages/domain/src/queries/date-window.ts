import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import {
  addMonths,
  dayNumberOf,
  toCivil,
  toDayNumber,
  weekdayOf,
} from '../values/dates/civil-time.ts'
import { dateGranularity } from '../values/dates/date-format.ts'
import type { DateFormatting } from '../values/dates/date-formatting.ts'
import { timestampFromIso } from '../values/dates/date-text.ts'
import { dayMs, type TimeZone, timeZone } from '../values/dates/time-zone.ts'
import { timeZoneSchema } from '../values/dates/time-zone-schema.ts'
import { firstMs, lastMs, withinYears } from '../values/dates/year-range.ts'
import { textUpTo } from '../values/storable-text.ts'
import type { Bound } from './condition.ts'

/** Whole days by their numbers, 0 for 1970-01-01: from the first one up to, and without, the last one. */
type Days = readonly [from: number, to: number]

/** How the days of a mode follow from today and the number of days that is given. */
type Mode = (today: number, days: number) => Days

const day = (first: number): Days => [first, first + 1]
const week = (today: number, ahead: number): Days => {
  const monday = today - ((weekdayOf(today) + 6) % 7)
  return [monday + ahead * 7, monday + ahead * 7 + 7]
}
const month = (today: number, ahead: number): Days => {
  const first = firstOfMonth(today)
  return [sameDay(first, ahead), sameDay(first, ahead + 1)]
}
const year = (today: number, ahead: number): Days => {
  const first = firstOfYear(today)
  return [sameDay(first, ahead * 12), sameDay(first, ahead * 12 + 12)]
}

/** Modes that name a period by today alone. Weeks begin on Monday (ISO 8601). */
const periods = {
  today: (today) => day(today),
  tomorrow: (today) => day(today + 1),
  yesterday: (today) => day(today - 1),
  currentWeek: (today) => week(today, 0),
  lastWeek: (today) => week(today, -1),
  nextWeekPeriod: (today) => week(today, 1),
  currentMonth: (today) => month(today, 0),
  lastMonth: (today) => month(today, -1),
  nextMonthPeriod: (today) => month(today, 1),
  currentYear: (today) => year(today, 0),
  lastYear: (today) => year(today, -1),
  nextYearPeriod: (today) => year(today, 1),
  oneWeekAgo: (today) => day(today - 7),
  oneWeekFromNow: (today) => day(today + 7),
  oneMonthAgo: (today) => day(sameDay(today, -1)),
  oneMonthFromNow: (today) => day(sameDay(today, 1)),
} as const satisfies Record<string, Mode>

/** Modes that say how many days away a day is. */
const distances = {
  daysAgo: (today, days) => day(today - days),
  daysFromNow: (today, days) => day(today + days),
} as const satisfies Record<string, Mode>

/** Modes of `isWithIn`; today is in each of them. */
const spans = {
  pastWeek: (today) => [today - 7, today + 1],
  pastMonth: (today) => [sameDay(today, -1), today + 1],
  pastYear: (today) => [sameDay(today, -12), today + 1],
  nextWeek: (today) => [today, today + 8],
  nextMonth: (today) => [today, sameDay(today, 1) + 1],
  nextYear: (today) => [today, sameDay(today, 12) + 1],
} as const satisfies Record<string, Mode>

/** Modes of `isWithIn` that say how many days; today is in each of them. */
const countedSpans = {
  pastNumberOfDays: (today, days) => [today - days, today + 1],
  nextNumberOfDays: (today, days) => [today, today + days + 1],
} as const satisfies Record<string, Mode>

const byName: Readonly<Record<string, Mode>> = {
  ...periods,
  ...distances,
  ...spans,
  ...countedSpans,
}

const namesOf = <Modes extends object>(modes: Modes) => Object.keys(modes) as [keyof Modes & string]

const zone = {
  timeZone: timeZoneSchema.optional().describe('By whose clocks; else those of the field'),
}
const numberOfDays = z.int().min(0).max(limits.filterDays).describe('How many days')
/** A day as a caller names it. */
export const exactDate = textUpTo(limits.momentLength)
  .refine(
    (text) => timestampFromIso(text, timeZone('UTC')) !== undefined,
    'must be a date in ISO 8601',
  )
  .describe('A date, or a moment on it, in ISO 8601')

/** The value of every operator on dates except `isWithIn`: a day or a period, relative to now or named. */
export const dateValueSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.enum(namesOf(periods)), ...zone }),
  z.strictObject({ mode: z.enum(namesOf(distances)), numberOfDays, ...zone }),
  z.strictObject({ mode: z.enum(['exactDate', 'exactFormatDate']), exactDate, ...zone }),
])

/** The value of `isWithIn`: days around today, or between two dates. */
export const dateSpanSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.enum(namesOf(spans)), ...zone }),
  z.strictObject({ mode: z.enum(namesOf(countedSpans)), numberOfDays, ...zone }),
  z.strictObject({ mode: z.literal('dateRange'), exactDate, exactDateEnd: exactDate, ...zone }),
])

/** Modes whose days are the same whenever they are asked for. */
export const fixedModes: readonly DateValue['mode'][] = [
  'exactDate',
  'exactFormatDate',
  'dateRange',
]

/** Whether the value means the same days whenever it is asked. */
export function isFixedDate({ mode }: DateValue): boolean {
  return fixedModes.includes(mode)
}

/** A value of an operator on dates. */
export type DateValue = z.output<typeof dateValueSchema> | z.output<typeof dateSpanSchema>

/** The moments of a period: from the first one up to, and without, the end; with it where that is the last moment. */
export interface DateWindow {
  readonly from: Timestamp
  readonly to: Timestamp
}

const minuteMs = 60_000

/** After it there is no moment at which a period that has it could end. */
const lastMoment = toTimestamp(lastMs)

/** The bound of what is not after the period. */
export function throughEnd({ from, to }: DateWindow): Bound {
  return { value: to, isOpen: to !== lastMoment || from === lastMoment }
}

/** The bound of what is after the period. */
export function afterEnd({ to }: DateWindow): Bound {
  return { value: to, isOpen: to === lastMoment }
}

/** The moments that the value of a filter item means now, in a field with the formatting. */
export function dateWindow(
  value: DateValue,
  now: Timestamp,
  formatting: DateFormatting,
): DateWindow {
  const clocks = timeZone(value.timeZone ?? formatting.timeZone)
  switch (value.mode) {
    case 'exactDate':
      return toWindow(day(dayOf(value.exactDate, clocks)), clocks)
    case 'exactFormatDate':
      return shownWindow(value.exactDate, clocks, formatting)
    case 'dateRange': {
      const days: Days = [dayOf(value.exactDate, clocks), dayOf(value.exactDateEnd, clocks) + 1]
      return toWindow(days, clocks)
    }
    default: {
      const days = 'numberOfDays' in value ? value.numberOfDays : 0
      return toWindow((byName[value.mode] as Mode)(dayOf(now, clocks), days), clocks)
    }
  }
}

/** A window that follows another one: what lies between these counts as before them all, or as after. */
export interface LaterWindow extends DateWindow {
  readonly gap: 'before' | 'after'
}

/** Windows in their order, most often one. */
export type DateWindows = readonly [DateWindow, ...LaterWindow[]]

/**
 * The times that a value of a filter stands for: one window, and where it is a time that clocks show again after they are set
 * back, the second one as well. What is shown alike is alike. Days are more than one window where clocks are set back across midnight.
 */
export function dateWindows(
  value: DateValue,
  now: Timestamp,
  formatting: DateFormatting,
): DateWindows {
  const first = dateWindow(value, now, formatting)
  const clocks = timeZone(value.timeZone ?? formatting.timeZone)
  const isTime = value.mode === 'exactFormatDate' && dateGranularity(formatting) === 'minute'
  if (!isTime) return windowsOfDays(first, clocks)
  const fromMs = Date.parse(first.from)
  const again = shownAgain(fromMs, clocks)
  // Of the last minute before clocks are set back, the next one by these clocks comes an hour later.
  return again === undefined
    ? [first]
    : [minuteFrom(fromMs), { ...minuteFrom(again), gap: 'after' }]
}

/** Where clocks show the end of a day twice, the day goes on from when they were set back; where its beginning, it stops meanwhile. */
function windowsOfDays({ from, to }: DateWindow, clocks: TimeZone): DateWindows {
  const [begun, ended] = [from, to].map((moment) => setBackAcross(Date.parse(moment), clocks))
  const windows: [DateWindow, ...LaterWindow[]] = [{ from, to: begun ? begun.setBack : to }]
  if (begun) windows.push({ from: begun.again, to, gap: 'before' })
  if (ended) windows.push({ from: ended.setBack, to: ended.again, gap: 'after' })
  return windows
}

/** When clocks are set back to before the time that they showed at a moment, and when they show that again; mostly they aren't. */
function setBackAcross(
  epochMs: number,
  clocks: TimeZone,
): { readonly setBack: Timestamp; readonly again: Timestamp } | undefined {
  const again = shownAgain(epochMs, clocks)
  if (again === undefined) return undefined
  const offset = clocks.offsetAt(epochMs)
  let [last, setBack] = [epochMs, again]
  while (setBack - last > 1) {
    const middle = Math.floor((last + setBack) / 2)
    if (clocks.askOffsetAt(middle) === offset) last = middle
    else setBack = middle
  }
  if (setBack === again) return undefined
  return { setBack: toTimestamp(setBack), again: toTimestamp(again) }
}

/** The second moment at which clocks show the time that they show at the first one. */
function shownAgain(epochMs: number, clocks: TimeZone): number | undefined {
  if (clocks.isUtc) return undefined
  const local = epochMs + clocks.offsetAt(epochMs)
  const again = local - clocks.offsetAt(epochMs + dayMs)
  return again > epochMs && again + clocks.offsetAt(again) === local ? again : undefined
}

function minuteFrom(epochMs: number): DateWindow {
  return { from: toTimestamp(epochMs), to: toTimestamp(epochMs + minuteMs) }
}

/** All moments that a field which is shown so shows alike, as far as its smallest part goes. */
function shownWindow(text: string, clocks: TimeZone, formatting: DateFormatting): DateWindow {
  const today = dayOf(text, clocks)
  switch (dateGranularity(formatting)) {
    case 'year':
      return toWindow(year(today, 0), clocks)
    case 'month':
      return toWindow(month(today, 0), clocks)
    case 'day':
      return toWindow(day(today), clocks)
    case 'minute': {
      const local = localMsOf(text, clocks)
      const first = Math.floor(local / minuteMs) * minuteMs
      return between(first, first + minuteMs, clocks)
    }
  }
}

function dayOf(text: string, clocks: TimeZone): number {
  return toDayNumber(localMsOf(text, clocks))
}

/** The day that a text in ISO 8601 names by the clocks of a field that is shown so, as `YYYY-MM-DD`. */
export function dayNamed(text: string, { timeZone: zone }: DateFormatting): string {
  return nameOfDay(dayOf(text, timeZone(zone)))
}

/** The days from one to another, both named `YYYY-MM-DD`; none where the first is later. */
export function daysBetween(first: string, last: string): readonly string[] {
  const from = dayOf(first, timeZone('UTC'))
  return Array.from({ length: countDays(first, last) }, (_, index) => nameOfDay(from + index))
}

/** How many days that are: some million, between the first and the last year. */
export function countDays(first: string, last: string): number {
  const utc = timeZone('UTC')
  return Math.max(0, dayOf(last, utc) - dayOf(first, utc) + 1)
}

function nameOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** What the clocks show, as far as it is shown: see `toLocalText`. */
function localMsOf(text: string, clocks: TimeZone): number {
  // Near both ends of the years the same text by UTC is a moment that is there, and on the same day.
  const moment = timestampFromIso(text, clocks) ?? timestampFromIso(text, timeZone('UTC'))
  const epochMs = moment === undefined ? firstMs : Date.parse(moment)
  return withinYears(epochMs + clocks.offsetAt(epochMs))
}

function toWindow([from, to]: Days, clocks: TimeZone): DateWindow {
  return between(from * dayMs, to * dayMs, clocks)
}

/** From one local time to another. What clocks show at both ends of the years goes on until there are no more moments. */
function between(fromMs: number, toMs: number, clocks: TimeZone): DateWindow {
  const from = fromMs <= firstMs ? firstMs : clocks.toEpoch(fromMs)
  const to = toMs > lastMs ? lastMs : clocks.toEpoch(toMs)
  return { from: toTimestamp(withinYears(from)), to: toTimestamp(withinYears(to)) }
}

function firstOfMonth(today: number): number {
  const { year, month } = toCivil(today * dayMs)
  return dayNumberOf(year, month, 1)
}

function firstOfYear(today: number): number {
  return dayNumberOf(toCivil(today * dayMs).year, 1, 1)
}

/** The same day of another month, or its last one where it is shorter. */
function sameDay(today: number, months: number): number {
  return toDayNumber(addMonths(today * dayMs, months))
}

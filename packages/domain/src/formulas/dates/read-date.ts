import { fromCivil, isCivil, toCivil } from '../../values/dates/civil-time.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import { monthNames, weekdayNames } from './date-names.ts'
import type { DatePattern, DateToken } from './date-pattern.ts'
import { fromLocalMs, toLocalMs, toMoment } from './moment.ts'

/** What the tokens of a pattern tell, each by itself. */
interface Told {
  epochMs?: number
  offsetMs?: number
  year?: number
  month?: number
  day?: number
  hour?: number
  hour12?: number
  isAfternoon?: boolean
  minute?: number
  second?: number
  millisecond?: number
}

interface DateReading {
  readonly zone: TimeZone
  /** Tells what the text leaves out: the year, the day, ... */
  readonly nowMs: number
}

/** The moment that a text tells when it is written as the pattern says, else null. */
export function readDate(text: string, pattern: DatePattern, reading: DateReading): number | null {
  const told: Told = {}
  const source = text.trim()
  let position = 0
  for (const part of pattern) {
    const read = part.token ? readers[part.token] : undefined
    const length = read
      ? read(source, position, told)
      : source.startsWith(part.text, position)
        ? part.text.length
        : -1
    if (length < 0) return null
    position += length
  }
  return position === source.length ? complete(told, reading) : null
}

/** The year defaults to this one, the month to this one or January, the day to today or the first. */
function complete(told: Told, { zone, nowMs }: DateReading): number | null {
  if (told.epochMs !== undefined) return toMoment(told.epochMs)
  const now = toCivil(toLocalMs(nowMs, zone))
  const hasDate = told.year !== undefined || told.month !== undefined
  const time = {
    year: told.year ?? now.year,
    month: told.month ?? (told.year === undefined ? now.month : 1),
    day: told.day ?? (hasDate ? 1 : now.day),
    hour: hourOf(told),
    minute: told.minute ?? 0,
    second: told.second ?? 0,
    millisecond: told.millisecond ?? 0,
  }
  if (!isCivil(time)) return null
  const localMs = fromCivil(time)
  return toMoment(
    told.offsetMs === undefined ? fromLocalMs(localMs, zone) : localMs - told.offsetMs,
  )
}

/**
 * 24, which isn't an hour, for an hour that a clock of twelve hours doesn't have. An hour of the other clock may have
 * AM or PM beside it, which must not tell another half of the day.
 */
function hourOf({ hour, hour12, isAfternoon }: Told): number {
  if (hour12 === undefined) {
    if (hour === undefined || isAfternoon === undefined) return hour ?? 0
    if (hour > 12) return isAfternoon ? hour : 24
    return (hour % 12) + (isAfternoon ? 12 : 0)
  }
  if (hour12 < 1 || hour12 > 12) return 24
  if (isAfternoon === undefined) return hour12
  return (hour12 % 12) + (isAfternoon ? 12 : 0)
}

/** Answers how many characters it read, -1 when they don't tell what it reads. */
type Reader = (source: string, position: number, told: Told) => number

function pattern(regexp: RegExp, tell: (told: Told, text: string) => void): Reader {
  const sticky = new RegExp(regexp.source, 'iy')
  return (source, position, told) => {
    sticky.lastIndex = position
    const found = sticky.exec(source)
    if (!found) return -1
    tell(told, found[0])
    return found[0].length
  }
}

type NumberPart = Exclude<keyof Told, 'isAfternoon'>

function digits(regexp: RegExp, part: NumberPart): Reader {
  return pattern(regexp, (told, text) => {
    told[part] = Number.parseInt(text, 10)
  })
}

function name(names: readonly string[], length: number | undefined, tell: Tell): Reader {
  const short = names.map((whole) => whole.slice(0, length).toLowerCase())
  return (source, position, told) => {
    const index = short.findIndex(
      (each) => source.slice(position, position + each.length).toLowerCase() === each,
    )
    if (index < 0) return -1
    tell(told, index)
    return short[index]?.length ?? -1
  }
}

type Tell = (told: Told, index: number) => void

const tellMonth: Tell = (told, index) => {
  told.month = index + 1
}
const tellNothing: Tell = () => {}
const upToTwo = /\d{1,2}/
const meridiem = pattern(/[ap]m/, (told, text) => {
  told.isAfternoon = text.toLowerCase() === 'pm'
})
/** Milliseconds ahead of UTC that `Z`, `+02:00` or `-0430` tells. */
function parseOffset(text: string): number {
  if (text.length === 1) return 0
  const digits = text.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}

const offset = pattern(/Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d/, (told, text) => {
  told.offsetMs = parseOffset(text)
})

/** Tokens that tell no date by themselves (weeks, weekdays, quarters, days of the year) are not read. */
const readers: Partial<Readonly<Record<DateToken, Reader>>> = {
  YYYY: digits(/\d{4}/, 'year'),
  YY: pattern(/\d{2}/, (told, text) => {
    told.year = Number(text) + (Number(text) > 68 ? 1900 : 2000)
  }),
  MMMM: name(monthNames, undefined, tellMonth),
  MMM: name(monthNames, 3, tellMonth),
  MM: digits(upToTwo, 'month'),
  Mo: digits(/\d{1,2}(?:st|nd|rd|th)/, 'month'),
  M: digits(upToTwo, 'month'),
  DD: digits(upToTwo, 'day'),
  Do: digits(/\d{1,2}(?:st|nd|rd|th)/, 'day'),
  D: digits(upToTwo, 'day'),
  dddd: name(weekdayNames, undefined, tellNothing),
  ddd: name(weekdayNames, 3, tellNothing),
  dd: name(weekdayNames, 2, tellNothing),
  HH: digits(upToTwo, 'hour'),
  H: digits(upToTwo, 'hour'),
  hh: digits(upToTwo, 'hour12'),
  h: digits(upToTwo, 'hour12'),
  A: meridiem,
  a: meridiem,
  mm: digits(upToTwo, 'minute'),
  m: digits(upToTwo, 'minute'),
  ss: digits(upToTwo, 'second'),
  s: digits(upToTwo, 'second'),
  SSS: digits(/\d{3}/, 'millisecond'),
  SS: pattern(/\d{2}/, (told, text) => {
    told.millisecond = Number(text) * 10
  }),
  S: pattern(/\d/, (told, text) => {
    told.millisecond = Number(text) * 100
  }),
  Z: offset,
  ZZ: offset,
  X: pattern(/-?\d{1,12}(?:\.\d{1,3})?/, (told, text) => {
    told.epochMs = Number(text) * 1000
  }),
  x: digits(/-?\d{1,15}/, 'epochMs'),
}

/** Whether the pattern tells the year, after which nothing is left to be taken from now. */
export function tellsYear(pattern: DatePattern): boolean {
  return pattern.some(({ token }) => token && ['YYYY', 'YY', 'X', 'x'].includes(token))
}

/** The first token of a pattern that `readDate` can't read, undefined when it can read them all. */
export function unreadableToken(pattern: DatePattern): DateToken | undefined {
  return pattern.find((part) => part.token && !readers[part.token])?.token
}

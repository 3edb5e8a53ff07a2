import { type CivilTime, toCivil, toDayNumber, weekdayOf } from '../../values/dates/civil-time.ts'
import { toLocalMs } from '../dates/moment.ts'
import { weekNumber } from '../dates/week-number.ts'
import { define } from './define.ts'
import { firstWeekday, moment } from './parameters.ts'

/** A part of the date that the clocks of the formula's time zone show. */
function part(name: string, of: (time: CivilTime) => number) {
  return define({ name, parameters: [moment] as const, result: 'number' }, ([date], { zone }) =>
    date === null ? null : of(toCivil(toLocalMs(date, zone))),
  )
}

/** Something about a day in weeks that begin on Sunday, or on Monday when asked for. */
function inWeeks(name: string, of: (dayNumber: number, first: 0 | 1) => number) {
  const parameters = [moment, firstWeekday] as const
  return define({ name, parameters, optional: 1, result: 'number' }, ([date, first], { zone }) =>
    date === null || first === undefined
      ? null
      : of(toDayNumber(toLocalMs(date, zone)), first ?? 0),
  )
}

export const datePartFunctions = [
  part('YEAR', (time) => time.year),
  part('MONTH', (time) => time.month),
  part('DAY', (time) => time.day),
  part('HOUR', (time) => time.hour),
  part('MINUTE', (time) => time.minute),
  part('SECOND', (time) => time.second),
  inWeeks('WEEKDAY', (day, first) => (weekdayOf(day) - first + 7) % 7),
  inWeeks('WEEKNUM', (day, first) => weekNumber(day, first).week),
]

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumberOf, weekdayOf } from '../../values/dates/civil-time.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import { isoWeekNumber, weekNumber } from './week-number.ts'
import { addWorkdays, countWorkdays } from './workdays.ts'

const dayNumber = fc.integer({ min: -800_000, max: 3_000_000 })
const holidays = (near: number) =>
  fc.array(fc.integer({ min: near - 60, max: near + 60 }), { maxLength: 30 })

/** One day at a time. */
function isWorkday(day: number, free: readonly number[]): boolean {
  return ![0, 6].includes(new Date(day * dayMs).getUTCDay()) && !free.includes(day)
}

describe('counting workdays', () => {
  it('[FORMULA-84] always ends where counting day by day ends', () => {
    const input = dayNumber.chain((day) => fc.tuple(fc.constant(day), holidays(day)))
    fc.assert(
      fc.property(input, fc.integer({ min: -50, max: 50 }), ([day, free], count) => {
        let expected = day
        for (let left = Math.abs(count); left > 0; ) {
          expected += Math.sign(count)
          if (isWorkday(expected, free)) left--
        }
        expect(addWorkdays(day, count, free)).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('[FORMULA-84] always counts as many as there are', () => {
    const input = dayNumber.chain((day) => fc.tuple(fc.constant(day), holidays(day)))
    fc.assert(
      fc.property(input, fc.integer({ min: 0, max: 100 }), ([first, free], length) => {
        let expected = 0
        for (let day = first; day <= first + length; day++) if (isWorkday(day, free)) expected++
        expect(countWorkdays(first, first + length, free)).toBe(expected)
        const back = length === 0 ? expected : -expected + 0
        expect(countWorkdays(first + length, first, free)).toBe(back)
      }),
      { numRuns: 500 },
    )
  })
})

describe('numbering weeks', () => {
  it('[FORMULA-85] always puts January 1st into week 1, and counts on from week to week', () => {
    const year = fc.integer({ min: 1, max: 9998 })
    fc.assert(
      fc.property(year, dayNumber, fc.constantFrom(0, 1), (each, day, first) => {
        expect(weekNumber(dayNumberOf(each, 1, 1), first)).toEqual({ year: each, week: 1 })
        const { week } = weekNumber(day, first)
        const next = weekNumber(day + 1, first).week
        if (weekdayOf(day + 1) !== first) expect(next).toBe(week)
        else expect([week + 1, 1]).toContain(next)
      }),
    )
  })

  it('[FORMULA-86] always gives a week of ISO 8601 the year of its Thursday', () => {
    fc.assert(
      fc.property(dayNumber, (day) => {
        const thursday = day - ((weekdayOf(day) + 6) % 7) + 3
        const { year, week } = isoWeekNumber(day)
        expect(year).toBe(new Date(thursday * dayMs).getUTCFullYear())
        expect(week).toBe(Math.floor((thursday - dayNumberOf(year, 1, 1)) / 7) + 1)
      }),
    )
  })
})

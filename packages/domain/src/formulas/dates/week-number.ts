import { dayNumberOf, toCivil, weekdayOf } from '../../values/dates/civil-time.ts'
import { dayMs } from '../../values/dates/time-zone.ts'

/** The year that a week is counted in, and its number there. */
interface WeekNumber {
  readonly year: number
  readonly week: number
}

/** The week that holds January 1st is week 1; weeks begin on Sunday (0) or Monday (1). */
export function weekNumber(dayNumber: number, firstWeekday: 0 | 1): WeekNumber {
  return countWeek(dayNumber, firstWeekday, 6)
}

/** ISO 8601: weeks begin on Monday, the week that holds January 4th is week 1. */
export function isoWeekNumber(dayNumber: number): WeekNumber {
  return countWeek(dayNumber, 1, 3)
}

/** A week belongs to the year that its day with the given index lies in. */
function countWeek(dayNumber: number, firstWeekday: number, decidingIndex: number): WeekNumber {
  const start = weekStart(dayNumber, firstWeekday)
  const { year } = toCivil((start + decidingIndex) * dayMs)
  const firstStart = weekStart(dayNumberOf(year, 1, 7 - decidingIndex), firstWeekday)
  return { year, week: (start - firstStart) / 7 + 1 }
}

function weekStart(dayNumber: number, firstWeekday: number): number {
  return dayNumber - ((weekdayOf(dayNumber) - firstWeekday + 7) % 7)
}

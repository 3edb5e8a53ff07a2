import { weekdayOf } from '../../values/dates/civil-time.ts'

function isWeekend(dayNumber: number): boolean {
  const weekday = weekdayOf(dayNumber)
  return weekday === 0 || weekday === 6
}

/**
 * The day that lies `count` workdays after a day, or before it when the count is negative. Workdays are
 * Monday to Friday without the holidays; the day itself isn't counted. Days are day numbers; the count
 * is at most `limits.workdays`.
 */
export function addWorkdays(day: number, count: number, holidays: readonly number[]): number {
  const direction = Math.sign(count)
  let end = addWeekdays(day, count)
  const ahead = uniqueWeekdays(holidays).filter((holiday) => (holiday - day) * direction > 0)
  if (direction < 0) ahead.reverse()
  for (const holiday of ahead) {
    if ((holiday - end) * direction > 0) break
    end = addWeekdays(end, direction)
  }
  return end
}

/**
 * How many workdays there are from one day to another, both included; negative when the second is the
 * earlier.
 */
export function countWorkdays(first: number, last: number, holidays: readonly number[]): number {
  if (last < first) return -countWorkdays(last, first, holidays) + 0
  const within = uniqueWeekdays(holidays).filter((day) => day >= first && day <= last)
  return weekdaysBefore(last + 1) - weekdaysBefore(first) - within.length
}

function uniqueWeekdays(days: readonly number[]): number[] {
  return [...new Set(days)].filter((day) => !isWeekend(day)).sort((a, b) => a - b)
}

/** How many weekdays there are from a fixed Monday up to a day; negative before it. */
function weekdaysBefore(day: number): number {
  const sinceMonday = day + 3
  const weeks = Math.floor(sinceMonday / 7)
  return weeks * 5 + Math.min(sinceMonday - weeks * 7, 5)
}

function addWeekdays(day: number, count: number): number {
  if (count === 0) return day
  const direction = Math.sign(count)
  let end = day
  while (isWeekend(end)) end -= direction
  end += Math.trunc(count / 5) * 7
  for (let left = Math.abs(count % 5); left > 0; left--) {
    do end += direction
    while (isWeekend(end))
  }
  return end
}

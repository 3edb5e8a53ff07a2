import { expect, test } from 'vitest'
import { parseInput } from '../input/parse-input.ts'
import { limits } from '../limits.ts'
import { type DateValue, dateSpanSchema, dateValueSchema, dateWindow } from './date-window.ts'

const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } as const
// A Wednesday.
const now = '2026-03-18T12:00:00.000Z'
const days = (value: DateValue) => {
  const { from, to } = dateWindow(value, now, formatting)
  return [from, to].map((moment) => moment.replace('T00:00:00.000Z', ''))
}

test.each<[DateValue, string, string]>([
  [{ mode: 'today' }, '2026-03-18', '2026-03-19'],
  [{ mode: 'tomorrow' }, '2026-03-19', '2026-03-20'],
  [{ mode: 'yesterday' }, '2026-03-17', '2026-03-18'],
  [{ mode: 'currentWeek' }, '2026-03-16', '2026-03-23'],
  [{ mode: 'lastWeek' }, '2026-03-09', '2026-03-16'],
  [{ mode: 'nextWeekPeriod' }, '2026-03-23', '2026-03-30'],
  [{ mode: 'currentMonth' }, '2026-03-01', '2026-04-01'],
  [{ mode: 'lastMonth' }, '2026-02-01', '2026-03-01'],
  [{ mode: 'nextMonthPeriod' }, '2026-04-01', '2026-05-01'],
  [{ mode: 'currentYear' }, '2026-01-01', '2027-01-01'],
  [{ mode: 'lastYear' }, '2025-01-01', '2026-01-01'],
  [{ mode: 'nextYearPeriod' }, '2027-01-01', '2028-01-01'],
  [{ mode: 'oneWeekAgo' }, '2026-03-11', '2026-03-12'],
  [{ mode: 'oneWeekFromNow' }, '2026-03-25', '2026-03-26'],
  [{ mode: 'oneMonthAgo' }, '2026-02-18', '2026-02-19'],
  [{ mode: 'oneMonthFromNow' }, '2026-04-18', '2026-04-19'],
  [{ mode: 'daysAgo', numberOfDays: 30 }, '2026-02-16', '2026-02-17'],
  [{ mode: 'daysFromNow', numberOfDays: 0 }, '2026-03-18', '2026-03-19'],
  [{ mode: 'exactDate', exactDate: '2024-02-29' }, '2024-02-29', '2024-03-01'],
  [{ mode: 'pastWeek' }, '2026-03-11', '2026-03-19'],
  [{ mode: 'pastMonth' }, '2026-02-18', '2026-03-19'],
  [{ mode: 'pastYear' }, '2025-03-18', '2026-03-19'],
  [{ mode: 'nextWeek' }, '2026-03-18', '2026-03-26'],
  [{ mode: 'nextMonth' }, '2026-03-18', '2026-04-19'],
  [{ mode: 'nextYear' }, '2026-03-18', '2027-03-19'],
  [{ mode: 'pastNumberOfDays', numberOfDays: 2 }, '2026-03-16', '2026-03-19'],
  [{ mode: 'nextNumberOfDays', numberOfDays: 2 }, '2026-03-18', '2026-03-21'],
  [
    { mode: 'dateRange', exactDate: '2026-01-01', exactDateEnd: '2026-01-31' },
    '2026-01-01',
    '2026-02-01',
  ],
])('[QUERY-8] %o are the days from %s up to %s', (value, from, to) => {
  expect(days(value)).toEqual([from, to])
})

test('[QUERY-8] a month that is shorter ends sooner', () => {
  const at = (moment: string) => dateWindow({ mode: 'oneMonthAgo' }, moment, formatting).from
  expect(at('2026-03-31T12:00:00.000Z')).toBe('2026-02-28T00:00:00.000Z')
  expect(at('2024-03-31T12:00:00.000Z')).toBe('2024-02-29T00:00:00.000Z')
})

test('[QUERY-8] days go by the clocks of the filter, else of the field', () => {
  const tokyo = { ...formatting, timeZone: 'Asia/Tokyo' } as const
  const late = '2026-03-18T16:00:00.000Z'
  expect(dateWindow({ mode: 'today' }, late, tokyo)).toEqual({
    from: '2026-03-18T15:00:00.000Z',
    to: '2026-03-19T15:00:00.000Z',
  })
  expect(dateWindow({ mode: 'today', timeZone: 'UTC' }, late, tokyo).from).toBe(
    '2026-03-18T00:00:00.000Z',
  )
  // The day on which clocks are set forward has 23 hours.
  const berlin = { mode: 'exactDate', exactDate: '2026-03-29', timeZone: 'Europe/Berlin' } as const
  expect(dateWindow(berlin, now, formatting)).toEqual({
    from: '2026-03-28T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  })
})

test('[QUERY-8] exactFormatDate is all that is shown alike', () => {
  const shown = (date: 'YYYY' | 'YYYY-MM' | 'YYYY-MM-DD', time: 'None' | 'HH:mm' = 'None') =>
    dateWindow({ mode: 'exactFormatDate', exactDate: '2026-03-18T12:34:56Z' }, now, {
      date,
      time,
      timeZone: 'UTC',
    })
  expect(shown('YYYY')).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2027-01-01T00:00:00.000Z',
  })
  expect(shown('YYYY-MM').from).toBe('2026-03-01T00:00:00.000Z')
  expect(shown('YYYY-MM-DD').from).toBe('2026-03-18T00:00:00.000Z')
  expect(shown('YYYY', 'HH:mm')).toEqual({
    from: '2026-03-18T12:34:00.000Z',
    to: '2026-03-18T12:35:00.000Z',
  })
})

test('[QUERY-8] stays within the years 1 to 9999', () => {
  const far = { mode: 'pastNumberOfDays', numberOfDays: 366_000 } as const
  expect(dateWindow(far, '0900-01-01T00:00:00.000Z', formatting).from).toBe(
    '0001-01-01T00:00:00.000Z',
  )
  const ahead = { mode: 'nextNumberOfDays', numberOfDays: 366_000 } as const
  expect(dateWindow(ahead, '9500-01-01T00:00:00.000Z', formatting).to).toBe(
    '9999-12-31T23:59:59.999Z',
  )
})

test.each([
  ['daysAgo', dateValueSchema],
  ['daysFromNow', dateValueSchema],
  ['pastNumberOfDays', dateSpanSchema],
  ['nextNumberOfDays', dateSpanSchema],
])('[QUERY-8] %s counts by the days of ten centuries at most', (mode, schema) => {
  expect(limits.filterDays).toBe(366_000)
  const parsed = (numberOfDays: number) => parseInput(schema, { mode, numberOfDays })
  expect(parsed(limits.filterDays)).toEqual({ data: { mode, numberOfDays: 366_000 } })
  expect(parsed(limits.filterDays + 1)).toMatchObject({ issues: [{ path: ['numberOfDays'] }] })
})

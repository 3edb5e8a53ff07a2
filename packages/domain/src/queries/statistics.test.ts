import { expect, test } from 'vitest'
import { statisticFrom } from './statistics.ts'

test.each([
  ['2026-01-31', '2026-02-27', 0],
  ['2026-01-31', '2026-02-28', 1],
  ['2024-01-31', '2024-02-28', 0],
  ['2024-01-31', '2024-02-29', 1],
  ['2026-01-15', '2026-03-14', 1],
  ['2026-01-15', '2027-01-15', 12],
  ['2026-01-15', '2026-01-15', 0],
])('[AGG-16] from %s until %s it is %i months', (from, until, months) => {
  const measured = { least: `${from}T00:00:00.000Z`, greatest: `${until}T00:00:00.000Z` }
  expect(statisticFrom('dateRangeOfMonths', 2, measured)).toBe(months)
})

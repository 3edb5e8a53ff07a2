import { expect, test } from 'vitest'
import { timeZone } from '../values/time-zone.ts'
import { localSortText } from './local-sort-text.ts'

test('[QUERY-13] takes clocks to stand still before 1850 and after 2149', () => {
  const berlin = timeZone('Europe/Berlin')
  expect(localSortText('2026-07-01T22:30:00.000Z', berlin)).toBe('2026-07-02T00:30:00.000Z')
  expect(localSortText('2149-07-01T22:30:00.000Z', berlin)).toBe('2149-07-02T00:30:00.000Z')
  // That summer has no summer time any more.
  expect(localSortText('2150-07-01T22:30:00.000Z', berlin)).toBe('2150-07-01T23:30:00.000Z')
  expect(localSortText('1700-01-01T00:00:00.000Z', berlin)).toBe('1700-01-01T00:53:28.000Z')
})

test('[QUERY-13] stays within the years 1 to 9999', () => {
  expect(localSortText('0001-01-01T00:00:00.000Z', timeZone('America/New_York'))).toBe(
    '0001-01-01T00:00:00.000Z',
  )
  expect(localSortText('9999-12-31T23:00:00.000Z', timeZone('Asia/Tokyo'))).toBe(
    '9999-12-31T23:59:59.999Z',
  )
})

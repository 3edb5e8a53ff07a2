import { expect, test } from 'vitest'
import { later } from '../../clock.ts'
import { isInLife } from './is-in-life.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const now = '2026-01-01T00:00:00.000Z'

test.each([
  ['ends now', 0, false],
  ['ends soon', 1, true],
  ['was made now', hourMs, true],
  ['was made by a clock that is some minutes ahead', hourMs + 5 * minuteMs, true],
  ['was made by one that is further ahead', hourMs + 5 * minuteMs + 1, false],
])('[ACCOUNT-110] what lives for an hour and %s', (_what, endsInMs, isGood) => {
  expect(isInLife(later(now, endsInMs), hourMs, now)).toBe(isGood)
})

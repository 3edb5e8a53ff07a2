import { expect, test } from 'vitest'
import { guessField } from './guess-field.ts'

const typeOf = (...texts: readonly string[]) => guessField(texts, 'Europe/Berlin').type

test.each([
  '2026-02-30',
  '2025-02-29',
  '2026-01-31 25:00',
  '2026-01-31T10:00:61',
  '2026-01-31T10:00+99:00',
  '0000-01-01',
])('[IMPORT-23] takes no column for dates that has %s', (text) => {
  expect(typeOf('2026-01-31', text)).toBe('singleLineText')
})

test('[IMPORT-23] takes a column for dates that has nothing else', () => {
  expect(typeOf('2026-01-31', '2024-02-29 23:59', '', '2026-01-31T10:00:59.123Z')).toBe('date')
  // By the clocks of the zone there is no such hour: it counts from the one before.
  expect(typeOf('2026-03-29 02:30')).toBe('date')
})

test('[IMPORT-24] shows percentages among plain numbers to their hundredths', () => {
  const formatting = (...texts: readonly string[]) =>
    guessField(texts, 'UTC').options?.formatting as unknown
  expect(formatting('5%', '12')).toEqual({ type: 'decimal', precision: 2 })
  expect(formatting('0.5%', '12')).toEqual({ type: 'decimal', precision: 3 })
  expect(formatting('5%', '12.5%')).toEqual({ type: 'percent', precision: 1 })
  expect(formatting('5', '12.125')).toEqual({ type: 'decimal', precision: 3 })
})

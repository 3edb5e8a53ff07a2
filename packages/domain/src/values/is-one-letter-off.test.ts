import { expect, test } from 'vitest'
import { isOneLetterOff } from './is-one-letter-off.ts'

test.each([
  'filte',
  'filtr',
  'filterr',
  'xfilter',
  'fixlter',
  'fitler',
  'Filter',
  'filteR',
  'filber',
])('[CONTRACT-4] %s is one letter off from filter', (word) => {
  expect(isOneLetterOff(word, 'filter')).toBe(true)
  expect(isOneLetterOff('filter', word)).toBe(true)
})

test.each(['filter', 'filt', 'filters1', 'FIlter', 'flitre', 'retlif', '', 'fltxer'])(
  '[CONTRACT-4] %j is not one letter off from filter',
  (word) => {
    expect(isOneLetterOff(word, 'filter')).toBe(false)
    expect(isOneLetterOff('filter', word)).toBe(false)
  },
)

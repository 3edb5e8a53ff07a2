import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextFinder } from './find-text.ts'

/** Texts of two letters: parts begin, and begin again, nearly everywhere. */
const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 })
const part = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 })

test('[FORMULA-61] finds what the platform finds', () => {
  fc.assert(
    fc.property(text, part, fc.nat(70), (source, wanted, from) => {
      expect(new TextFinder(wanted).find(source, from)).toBe(source.indexOf(wanted, from))
    }),
    { numRuns: 2_000 },
  )
  expect(new TextFinder('abababababb').find('ababababababb')).toBe(2)
})

test('[FORMULA-65] splits where the platform does', () => {
  fc.assert(
    fc.property(text, part, (source, wanted) => {
      expect(new TextFinder(wanted).split(source)).toEqual(source.split(wanted))
    }),
    { numRuns: 2_000 },
  )
  const long = 'abaabaabaaba'
  expect(new TextFinder(long).split(`x${long}y${long}${long}`)).toEqual(['x', 'y', '', ''])
})

test('[FORMULA-43] ends where the platform takes hours', () => {
  const half = 'a'.repeat(120_000)
  for (let times = 0; times < 20; times++) {
    expect(new TextFinder(`${half}b`).find(half + half)).toBe(-1)
    expect(new TextFinder(`b${half}`).find(half + half)).toBe(-1)
    expect(new TextFinder(`${half}b${half}`).split(half + half)).toHaveLength(1)
  }
})

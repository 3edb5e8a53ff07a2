import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginningUpTo,
  bytesPerUnit,
  jsonBytes,
  jsonTextBytes,
  mostJsonBytes,
} from './json-bytes.ts'

const encoder = new TextEncoder()
const expected = (value: unknown) => encoder.encode(JSON.stringify(value)).length

test('[CALC-42] bytes are those of JSON, whatever the characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(jsonTextBytes(text)).toBe(expected(text))
      expect(jsonTextBytes(text)).toBeLessThanOrEqual(text.length * bytesPerUnit + 2)
    }),
  )
  const text = Array.from({ length: 300 }, (_, code) => String.fromCharCode(code)).join('')
  expect(jsonTextBytes(text)).toBe(expected(text))
})

test('[CALC-42] bytes of lists and objects are those of their JSON', () => {
  const isMeasured = fc.property(fc.jsonValue(), (value) => {
    expect(jsonBytes(value)).toBe(expected(value))
    expect(mostJsonBytes(value)).toBeGreaterThanOrEqual(expected(value))
  })
  fc.assert(isMeasured)
  const all = [1e-300 / 7, true, undefined, NaN, { a: undefined, b: [undefined], c: new Date(0) }]
  for (const value of [all, { all }, [], {}, [{}]]) expect(jsonBytes(value)).toBe(expected(value))
})

test('[ARCHIVE-5] the beginning of a text has as many characters as there is room for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(60), (text, most) => {
      const beginning = beginningUpTo(most, text)
      expect(text.startsWith(beginning)).toBe(true)
      expect(beginning.isWellFormed()).toBe(true)
      expect(expected(beginning) - 2).toBeLessThanOrEqual(most)
      const [next = ''] = text.slice(beginning.length)
      if (next) expect(expected(beginning + next) - 2).toBeGreaterThan(most)
    }),
  )
})

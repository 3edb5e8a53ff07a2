import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textParts } from './text-parts.ts'

test('parts of a text make it up, and none begins or ends inside a character', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 9 }), (text, length) => {
      const parts = [...textParts(text, length)]
      expect(parts.join('')).toBe(text)
      for (const part of parts) {
        expect(part.isWellFormed()).toBe(true)
        expect(part.length).toBeLessThanOrEqual(length + 1)
        expect(part).not.toBe('')
      }
    }),
  )
  expect([...textParts('ab😀c', 3)]).toEqual(['ab😀', 'c'])
})

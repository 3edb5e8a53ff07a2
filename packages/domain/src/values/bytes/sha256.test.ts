import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('always is the digest that Node.js makes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(hash('sha256', text))
    }),
  )
  for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 1_000]) {
    expect(sha256('é'.repeat(length))).toBe(hash('sha256', 'é'.repeat(length)))
  }
})

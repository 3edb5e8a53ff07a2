import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsAtOnce, jsonPieces } from './json-pieces.ts'

test('[CALL-8] the pieces of a value are its JSON text, always', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ records: fc.array(fc.jsonValue()), none: fc.constant(undefined) }),
  )
  fc.assert(
    fc.property(value, (one) => {
      expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one))
    }),
  )
})

test('[CALL-8] a list of records is a piece for a few of them each', () => {
  const records = Array.from({ length: 1_000 }, (_, id) => ({ id, fields: { Name: 'x' } }))
  const longest = Math.max(...[...jsonPieces({ answer: { records } })].map(({ length }) => length))
  const most = JSON.stringify(records.at(-1)).length + 1
  expect(longest).toBeLessThanOrEqual(itemsAtOnce * most)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsAtOnce, jsonPieces, levelsOfLongRecords } from './json-pieces.ts'

test('[CALL-8] the pieces of a value are its JSON text, always', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ records: fc.array(fc.jsonValue()), none: fc.constant(undefined) }),
  )
  fc.assert(
    fc.property(value, (one) => {
      expect([...jsonPieces(one)].join('')).toBe(JSON.stringify(one))
      expect([...jsonPieces(one, levelsOfLongRecords)].join('')).toBe(JSON.stringify(one))
    }),
  )
})

test('[CALL-8] a list of records is a piece for a few of them each', () => {
  const records = Array.from({ length: 1_000 }, (_, id) => ({ id, fields: { Name: 'x' } }))
  const longest = Math.max(...[...jsonPieces({ answer: { records } })].map(({ length }) => length))
  const most = JSON.stringify(records.at(-1)).length + 1
  expect(longest).toBeLessThanOrEqual(itemsAtOnce * most)
})

test('[CALL-8] a few records are taken apart down to their cells where they are long', () => {
  const cells = Array.from({ length: 500 }, (_, index) => [`F${index}`, 'x'.repeat(1_000)])
  const record = { id: 'rec1', fields: Object.fromEntries(cells), name: 'x' }
  for (const answer of [record, [record, record], { records: [record], nextCursor: null }]) {
    const pieces = [...jsonPieces(answer, levelsOfLongRecords)]
    expect(pieces.join('')).toBe(JSON.stringify(answer))
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(1_002)
  }
})

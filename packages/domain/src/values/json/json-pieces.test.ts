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

test('[CALL-8] long records among others are taken apart down to their cells', () => {
  const recordOf = (length: number) => ({
    id: 'rec1',
    fields: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`F${n}`, 'x'.repeat(length)])),
  })
  const isLong = (item: unknown) => JSON.stringify(item).length > 10_000
  const records = Array.from({ length: 40 }, (_, n) => recordOf(n % 3 === 0 ? 1_000 : 10))
  for (const answer of [records, { records, nextCursor: null }]) {
    const pieces = [...jsonPieces(answer, undefined, isLong)]
    expect(pieces.join('')).toBe(JSON.stringify(answer))
    // A long cell, or two short records: the third of any is a long one.
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(1_002)
    expect(Math.max(...[...jsonPieces(answer)].map(({ length }) => length))).toBeGreaterThan(40_000)
  }
})

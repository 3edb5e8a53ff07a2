import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedNumbers } from './sorted-numbers.ts'

test('[STORE-96] numbers are told in their sequence, each with where it stood', async () => {
  const number = fc.integer({ min: 1, max: 900_000_000_000 })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.oneof(number, fc.integer({ min: 1, max: 5_000 }))),
      fc.integer({ min: 1, max: 10 }),
      async (numbers, most) => {
        const sorted = await SortedNumbers.from(numbers.join(','), numbers.length, async () => {})
        const told: bigint[] = []
        for (let start = 0; start < numbers.length; start += most) {
          const [, list = ''] = /^\[(.*)\]$/.exec(sorted.withPlaces(start, most)) ?? []
          told.push(...list.split(',').map(BigInt))
        }
        const expected = numbers
          .map((of, index) => ({ of, place: index + 1 }))
          .toSorted((a, b) => a.of - b.of)
        expect(told).toEqual(
          expected.map(({ of, place }) => BigInt(of) * 10_000_000n + BigInt(place)),
        )
      },
    ),
  )
})

test('[STORE-96] lets others have their turn while many are sorted', async () => {
  const count = 20_000
  let turns = 0
  const numbers = Array.from({ length: count }, (_, index) => count - index)
  const sorted = await SortedNumbers.from(numbers.join(','), count, async () => {
    turns++
  })
  expect(turns).toBeGreaterThan(10)
  expect(sorted.withPlaces(0, 1)).toBe('[10020000]')
})

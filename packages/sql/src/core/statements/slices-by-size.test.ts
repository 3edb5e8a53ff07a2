import { expect, test } from 'vitest'
import { slicesBySize } from './slices-by-size.ts'

const slice = (most: number, lengths: readonly number[]) =>
  [...slicesBySize(most, lengths, (length) => [['x'.repeat(length)], null])].map((each) => [
    ...each,
  ])

test('[STORE-52] what is written goes out in slices of a size, one item at least in each', () => {
  expect(slice(100, [])).toEqual([])
  expect(slice(100, [10, 20, 30])).toEqual([[10, 20], [30]])
  expect(slice(100, [1, 500, 500, 1, 1])).toEqual([[1], [500], [500], [1, 1]])
})

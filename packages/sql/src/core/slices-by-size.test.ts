import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { slicesBySize } from './slices-by-size.ts'

const slice = (lengths: readonly number[]) =>
  [...slicesBySize(lengths, (length) => [['x'.repeat(length)], null])].map((each) => [...each])

test('[STORE-52] what is written goes out in slices of a size, one item at least in each', async () => {
  expect(slice([])).toEqual([])
  expect(slice([limits.recordsLength, 1, 1])).toEqual([[limits.recordsLength], [1, 1]])
  await withLimits({ recordsLength: 100 }, async () => {
    expect(slice([10, 20, 30])).toEqual([[10, 20], [30]])
    expect(slice([1, 500, 500, 1, 1])).toEqual([[1], [500], [500], [1, 1]])
  })
})

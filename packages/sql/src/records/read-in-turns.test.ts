import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { readInTurns } from './read-in-turns.ts'

const rows = Array.from({ length: 100 }, (_, index) => ({ autoNumber: index }) as StoredRecord)

/** What is read of rows of so many columns, each of one character, and how many rows each turn was to have. */
async function readRows(columns: number, bounded?: string) {
  const turns: (number | undefined)[] = []
  const { records, isCut } = await readInTurns(
    { whole: 'whole', bounded },
    new Array(columns),
    { most: rows.length },
    async ({ most, mostAtOnce = most }, last) => {
      turns.push(mostAtOnce)
      const start = last ? last.autoNumber + 1 : 0
      const found = rows.slice(start, start + Math.min(most, mostAtOnce))
      return { records: found, size: found.length, isCut: found.length < rows.length - start }
    },
  )
  expect([records, isCut]).toEqual([rows, false])
  return turns
}

test('[STORE-63] rows of many values are read a few at a time, where that holds the thread', async () => {
  await withLimits({ valuesInOneTurn: 1_000 }, async () => {
    expect(await readRows(3)).toEqual([100])
    expect(await readRows(93)).toEqual(new Array(10).fill(10))
    expect(await readRows(2_000)).toEqual(new Array(100).fill(1))
    expect(await readRows(93, 'bounded')).toEqual([100])
  })
})

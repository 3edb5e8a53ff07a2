import { expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { Plans } from './plans.ts'
import { findUsage } from './require-room.ts'

test('[BILL-14] records are counted one by one no more than once a minute, however often their number is asked', async () => {
  let counts = 0
  let last = 10
  const usage = {
    recordsAtMost: async () => last,
    countRecords: async () => {
      counts++
      return last - 4
    },
    countRecordsIn: async () => 0,
    fileBytes: async () => 0,
    countCollaborators: async () => 0,
    spaceOf: async () => undefined,
  }
  const plans = new Plans()
  const rowsAt = async (second: number) => {
    const now = toTimestamp(1_000 * second)
    const context = { tx: { usage, becomeLong: () => {} }, now }
    return (await findUsage(context, plans, 'spcA')).rows
  }
  expect(await rowsAt(100)).toBe(6)
  last = 12
  expect(await rowsAt(106)).toBe(8)
  expect(await rowsAt(159)).toBe(8)
  expect(counts).toBe(1)
  // Some of its tables are gone: what was known of them says nothing of the others.
  last = 5
  expect(await rowsAt(165)).toBe(1)
  expect(counts).toBe(2)
  expect(await rowsAt(224)).toBe(1)
  expect(counts).toBe(2)
  expect(await rowsAt(230)).toBe(1)
  expect(counts).toBe(3)
})

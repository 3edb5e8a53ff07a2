import { plansLimitedTo } from '@gateleg/testing/factories/plans-limited-to'
import { expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { Plans } from './plans.ts'
import { findUsage, requireFileRoom } from './require-room.ts'

const noUsage = {
  recordsAtMost: async () => 0,
  countRecords: async () => 0,
  countRecordsIn: async () => 0,
  fileBytes: async () => 0,
  countCollaborators: async () => 0,
  spaceOf: async () => undefined,
}

/** A transaction that adds what `kept` has then. */
function transaction(kept: { bytes: number }) {
  const atEnd: ((isKept: boolean) => void)[] = []
  let looks = 0
  const usage = {
    ...noUsage,
    fileBytes: async () => {
      looks++
      return kept.bytes
    },
  }
  return {
    tx: {
      ...{ usage, becomeLong: () => {} },
      onEnd: (work: (isKept: boolean) => void) => void atEnd.push(work),
    },
    end: (added: number) => {
      kept.bytes += added
      for (const work of atEnd) work(added > 0)
    },
    looks: () => looks,
  }
}

test('[BILL-6] [BILL-7] what a write that failed, or was run again, has not added takes no room', async () => {
  const plans = plansLimitedTo({ maxSizeAttachments: 10 })
  const kept = { bytes: 2 }
  const now = toTimestamp(0)
  const add = async (bytes: number) => {
    const one = transaction(kept)
    await requireFileRoom({ tx: one.tx, now, plans }, 'spcA', bytes)
    return one
  }
  const failing = await add(8)
  const refused = { code: 'payment_required' }
  await expect(add(1)).rejects.toMatchObject(refused)
  failing.end(0)
  const again = await add(8)
  again.end(0)
  const whole = await add(8)
  whole.end(8)
  await expect(add(1)).rejects.toMatchObject(refused)
  // What was looked up says all there is to know: who is refused again and again costs nothing.
  const last = transaction(kept)
  const asked = requireFileRoom({ tx: last.tx, now, plans }, 'spcA', 1)
  await expect(asked).rejects.toMatchObject(refused)
  expect(last.looks()).toBeLessThanOrEqual(1)
})

test('[BILL-14] records are counted one by one no more than once a minute, however often their number is asked', async () => {
  let counts = 0
  let last = 10
  const usage = {
    ...noUsage,
    recordsAtMost: async () => last,
    countRecords: async () => {
      counts++
      return last - 4
    },
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

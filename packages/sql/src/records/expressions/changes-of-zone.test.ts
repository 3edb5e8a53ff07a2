import { promises } from 'node:timers'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { firstMs, lastMs } from '@gateleg/domain/values/dates/year-range'
import { timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  areChangesKnown,
  calendarCycleMs,
  changesOfZone,
  findChangesOfZone,
  lastListed,
  recurringFrom,
  ZoneList,
} from './changes-of-zone.ts'

test('[QUERY-13] knows how far the clocks of a zone are ahead at every moment', () => {
  const moment = fc.oneof(
    fc.integer({ min: firstMs, max: lastMs }),
    fc.integer({ min: Date.UTC(1800, 0, 1), max: lastListed }),
  )
  fc.assert(
    fc.property(timeZoneName, fc.array(moment), (name, moments) => {
      const changes = changesOfZone(timeZone(name))
      const { offsetAt } = timeZone(name)
      for (const epochMs of [firstMs, recurringFrom, lastListed, lastMs, ...moments]) {
        const cycles = Math.max(0, Math.floor((epochMs - recurringFrom) / calendarCycleMs))
        const listed = epochMs - cycles * calendarCycleMs
        const passed = changes.moments.filter((change) => Date.parse(change) <= listed).length
        expect(changes.offsetsMs[passed]).toBe(offsetAt(epochMs))
      }
    }),
    { numRuns: 50 },
  )
})

test('[QUERY-150] lets others run while the changes of a zone are looked for, once for all its names', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await findChangesOfZone(timeZone('America/Havana'), promises.setImmediate)
  isOver = true
  expect(turns).toBeGreaterThan(30)
  expect(areChangesKnown(timeZone('AMERICA/havana'))).toBe(true)
})

test('[POSTGRES-25] the lists of a zone are the same for all its names, and told from those of others', () => {
  const lists = ZoneList.ofZone('Europe/Berlin')
  expect(ZoneList.ofZone('europe/berlin')).toBe(lists)
  const { moments, offsetsMs } = ZoneList.ofZone('Europe/Paris')
  const all = [lists.moments, lists.offsetsMs, moments, offsetsMs]
  expect(new Set(all.map((list) => JSON.stringify(list))).size).toBe(4)
})

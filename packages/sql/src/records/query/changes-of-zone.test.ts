import { timeZone } from '@gateleg/domain/values/time-zone'
import { firstMs, lastMs } from '@gateleg/domain/values/year-range'
import { timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarCycleMs, changesOfZone, lastListed, recurringFrom } from './changes-of-zone.ts'

test('[QUERY-13] knows how far the clocks of a zone are ahead at every moment', () => {
  const moment = fc.oneof(
    fc.integer({ min: firstMs, max: lastMs }),
    fc.integer({ min: Date.UTC(1800, 0, 1), max: lastListed }),
  )
  fc.assert(
    fc.property(timeZoneName, fc.array(moment), (name, moments) => {
      const changes = changesOfZone(name)
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

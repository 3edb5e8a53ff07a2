import { zoneYears } from '@gateleg/domain/queries/local-sort-text'
import { timeZone } from '@gateleg/domain/values/time-zone'
import { timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesOfZone } from './changes-of-zone.ts'

test('[QUERY-13] knows how far the clocks of a zone are ahead at every moment', () => {
  const moment = fc.integer({ min: zoneYears.from, max: zoneYears.to })
  fc.assert(
    fc.property(timeZoneName, fc.array(moment), (name, moments) => {
      const changes = changesOfZone(name)
      const { offsetAt } = timeZone(name)
      for (const epochMs of [zoneYears.from, zoneYears.to, ...moments]) {
        const passed = changes.moments.filter((change) => Date.parse(change) <= epochMs).length
        expect(changes.offsetsMs[passed]).toBe(offsetAt(epochMs))
      }
    }),
    { numRuns: 50 },
  )
})

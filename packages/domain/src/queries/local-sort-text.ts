import type { Timestamp } from '../clock.ts'
import type { TimeZone } from '../values/time-zone.ts'
import { withinYears } from '../values/year-range.ts'

/**
 * The years in which the clocks of a zone are asked how far they are ahead; outside of them they are taken to stay as
 * they are at the ends, so that storages can hold all changes of a zone in a list.
 */
export const zoneYears = { from: Date.UTC(1850, 0, 1), to: Date.UTC(2150, 0, 1) } as const

/** What the clocks of the zone show at the moment, in the form of a Timestamp: by that dates are ordered. */
export function localSortText(moment: Timestamp, zone: TimeZone): string {
  if (zone.isUtc) return moment
  const epochMs = Date.parse(moment)
  const asked = Math.max(zoneYears.from, Math.min(zoneYears.to, epochMs))
  const local = epochMs + zone.offsetAt(asked)
  return new Date(withinYears(local)).toISOString()
}

import type { Timestamp } from '@gateleg/domain/clock'
import { toTimestamp } from '@gateleg/domain/clock'
import { limits } from '@gateleg/domain/limits'
import { zoneYears } from '@gateleg/domain/queries/local-sort-text'
import { dayMs, timeZone } from '@gateleg/domain/values/time-zone'

/** When the clocks of a zone were set, and how far they are ahead before the first change and after each. */
export interface ZoneChanges {
  readonly moments: readonly Timestamp[]
  readonly offsetsMs: readonly number[]
}

const changesByZone = new Map<string, ZoneChanges>()

/** No zone sets its clocks twice within so many days and back, but for a few that did in wartime. */
const stepMs = 5 * dayMs

/** The changes of the zone in the years in which its clocks are asked; see `localSortText`. */
export function changesOfZone(name: string): ZoneChanges {
  const known = changesByZone.get(name)
  if (known) return known
  const { offsetAt } = timeZone(name)
  const moments: Timestamp[] = []
  const offsetsMs = [offsetAt(zoneYears.from)]
  for (let at = zoneYears.from; at < zoneYears.to; at += stepMs) {
    const end = Math.min(at + stepMs, zoneYears.to)
    if (offsetAt(at) === offsetAt(end)) continue
    const changed = firstWith(offsetAt, at, end)
    moments.push(toTimestamp(changed))
    offsetsMs.push(offsetAt(changed))
  }
  const changes = { moments, offsetsMs }
  if (changesByZone.size >= limits.timeZonesKept) changesByZone.clear()
  changesByZone.set(name, changes)
  return changes
}

/** The first millisecond after the beginning at which the clocks are as far ahead as at the end. */
function firstWith(offsetAt: (epochMs: number) => number, from: number, to: number): number {
  const wanted = offsetAt(to)
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === wanted) after = middle
    else before = middle
  }
  return after
}

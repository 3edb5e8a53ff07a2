import type { Timestamp } from '@gateleg/domain/clock'
import { toTimestamp } from '@gateleg/domain/clock'
import { limits } from '@gateleg/domain/limits'
import { dayMs, timeZone } from '@gateleg/domain/values/time-zone'

/** When the clocks of a zone were set, and how far they are ahead before the first change and after each. */
export interface ZoneChanges {
  readonly moments: readonly Timestamp[]
  readonly offsetsMs: readonly number[]
}

/** No zone set its clocks before. */
const firstListed = Date.UTC(1800, 0, 1)

/**
 * From then on clocks are set by rules that go by the calendar, as far as anybody knows: what they do in the years up to
 * the end of the list they do again in the same years of the calendar's next cycle, and so on.
 */
export const recurringFrom = Date.UTC(2100, 0, 1)

/** The calendar repeats itself after 400 years, days of the week included. */
export const calendarCycleMs = 146_097 * dayMs

/** The changes up to then are listed. */
export const lastListed = recurringFrom + calendarCycleMs

const changesByZone = new Map<string, ZoneChanges>()

/** No zone sets its clocks twice within so many days and back, but for a few that did in wartime. */
const stepMs = 5 * dayMs

/** Those that set them by rules have summers and winters of some months. */
const recurringStepMs = 50 * dayMs

/** The changes of the zone up to `lastListed`. */
export function changesOfZone(name: string): ZoneChanges {
  const known = changesByZone.get(name)
  if (known) return known
  const { offsetAt } = timeZone(name)
  const moments: Timestamp[] = []
  const offsetsMs = [offsetAt(firstListed)]
  for (let at = firstListed, end = at; at < lastListed; at = end) {
    end = Math.min(at + (at < recurringFrom ? stepMs : recurringStepMs), lastListed)
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

import type { Timestamp } from '../../clock.ts'
import { timestampFromText } from '../../values/dates/date-text.ts'
import type { TimeZone } from '../../values/dates/time-zone.ts'
import { firstMs, lastMs } from '../../values/dates/year-range.ts'

/*
 * A moment is its milliseconds since 1970-01-01 UTC. A local time ("localMs") is what the clock on the
 * wall shows, in milliseconds as if that clock showed UTC.
 */

/** Local times reach a little further. */
const marginMs = 86_400_000

/** The moment, or null for a number that is none that the product can tell. */
export function toMoment(epochMs: number): number | null {
  return epochMs >= firstMs && epochMs <= lastMs ? Math.trunc(epochMs) + 0 : null
}

/** The moment that a Timestamp tells, null for none or for a text that is no Timestamp. */
export function momentOfTimestamp(timestamp: Timestamp | null): number | null {
  return timestamp === null ? null : toMoment(Date.parse(timestamp))
}

/** The moment that a text tells as people write dates, the year first; null when it tells none. */
export function momentOfText(text: string, zone: TimeZone): number | null {
  return momentOfTimestamp(timestampFromText(text, 'YYYY-MM-DD', zone) ?? null)
}

/** What the clocks of a zone show at a moment. */
export function toLocalMs(moment: number, zone: TimeZone): number {
  return moment + zone.offsetAt(moment)
}

/** The moment at which the clocks of a zone show a time (see TimeZone), NaN when it can't be reached. */
export function fromLocalMs(localMs: number, zone: TimeZone): number {
  const isNear = localMs >= firstMs - marginMs && localMs <= lastMs + marginMs
  return isNear ? zone.toEpoch(localMs) : Number.NaN
}

import { later, type Timestamp } from '../../clock.ts'
import { limits } from '../../limits.ts'

/**
 * Whether a credential that lives for so long, and ends at the time, is good now: it hasn't ended, and was not made while a clock
 * stood far ahead, or else it would be good for as much longer once the clock is right.
 */
export function isInLife(ends: Timestamp, lifeMs: number, now: Timestamp): boolean {
  return ends > now && ends <= later(now, lifeMs + limits.clocksApartMinutes * 60_000)
}

import { later, toTimestamp } from '../clock.ts'
import type { Ports } from '../ports.ts'

/** A call to be counted, of a caller who may make so many in so many seconds. */
export interface CountedCall {
  /** What tells caller and limit from others. */
  readonly subject: string
  readonly most: number
  readonly seconds: number
}

/** How a caller stands after a call that was counted. */
export interface CallCount {
  readonly isGranted: boolean
  /** Calls that are left until the count begins anew. */
  readonly left: number
  readonly msLeft: number
}

/**
 * Counts a call in the storage, for all processes that serve it together, also where it isn't granted, in the turns of the
 * caller.
 */
export async function countCall(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { subject, most, seconds }: CountedCall,
  caller: string,
): Promise<CallCount> {
  const now = toTimestamp(clock.now())
  const { tries, until } = await store.write(
    (tx) =>
      tx.attempts.count(`calls:${subject}`, {
        now,
        until: later(now, seconds * 1_000),
        // Clocks of several servers differ by less: a count that one began holds for all.
        farthest: later(now, 2 * seconds * 1_000),
      }),
    { caller },
  )
  const msLeft = Math.max(0, Date.parse(until) - Date.parse(now))
  return { isGranted: tries <= most, left: Math.max(0, most - tries), msLeft }
}

import { later, toTimestamp } from '../../clock.ts'
import type { Ports } from '../../ports.ts'

/** Calls to be counted together, of a caller who may make so many in so many seconds. */
export interface CountedCalls {
  /** How many; 1 when not given. */
  readonly calls?: number
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
 * Counts calls in the storage, for all processes that serve it together, also where they aren't granted, in the turns of
 * the caller.
 */
export async function countCalls(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { subject, most, seconds, calls = 1 }: CountedCalls,
  caller: string,
): Promise<CallCount> {
  const now = toTimestamp(clock.now())
  const { tries, until } = await store.write(
    (tx) =>
      tx.attempts.count(`calls:${subject}`, {
        tries: calls,
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

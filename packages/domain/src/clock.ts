/** Tells the time. Nothing in the product reads it elsewhere, so that a run can be replayed. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC; never goes back within one process. */
  now(): number
}

/** A moment as the product stores and shows it: ISO 8601, UTC, milliseconds. */
export type Timestamp = string

let latest = { epochMs: 0, timestamp: '1970-01-01T00:00:00.000Z' }

/** The time in milliseconds since 1970-01-01 UTC as a moment. Remembers the latest: calls come in bursts. */
export function toTimestamp(epochMs: number): Timestamp {
  if (epochMs !== latest.epochMs) latest = { epochMs, timestamp: new Date(epochMs).toISOString() }
  return latest.timestamp
}

/** The moment that is the given time away from another. */
export function later(moment: Timestamp, milliseconds: number): Timestamp {
  return toTimestamp(Date.parse(moment) + milliseconds)
}

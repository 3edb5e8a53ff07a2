/** Tells the time. Nothing in the product reads it elsewhere, so that a run can be replayed. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC; never goes back within one process. */
  now(): number
}

/** A moment as the product stores and shows it: ISO 8601, UTC, milliseconds. */
export type Timestamp = string

export function toTimestamp(epochMs: number): Timestamp {
  return new Date(epochMs).toISOString()
}

/** The moment that is the given time away from another. */
export function later(moment: Timestamp, milliseconds: number): Timestamp {
  return toTimestamp(Date.parse(moment) + milliseconds)
}

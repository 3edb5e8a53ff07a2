import type { Timestamp } from '../../clock.ts'

/** What bounds the tries of one subject. */
export interface TryLimit {
  /** Tries that count together at most. */
  readonly most: number
  readonly now: Timestamp
  /** When a count that begins now ends, and until when the last try that is granted locks the subject. */
  readonly until: Timestamp
  /** Later than any count ends: one that is was begun by a clock that was ahead, and has ended. */
  readonly farthest: Timestamp
}

/** Tries that are counted, and until when. */
export interface CountedTries extends Omit<TryLimit, 'most'> {
  readonly tries?: number
}

/** How often something was counted since its count began, and when that ends. */
export interface TryCount {
  readonly tries: number
  readonly until: Timestamp
}

/** Counts tries by subject: sign-ins of an account, mails to an address. */
export interface AttemptRepository {
  /**
   * Counts one try, unless there were as many as may be. Returns undefined when the try is granted, else
   * until when none is. Tries at the same time are counted one after another.
   */
  reserve(subject: string, limit: TryLimit): Promise<Timestamp | undefined>
  /** Counts tries, one when not given, whatever the count is, and returns the count with them. It ends when it would have before. */
  count(subject: string, window: CountedTries): Promise<TryCount>
  /** Takes one try back that was granted. */
  release(subject: string): Promise<void>
  /** Forgets all tries of the subject. */
  clear(subject: string): Promise<void>
  /** Forgets at most `most` counts that ended before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}

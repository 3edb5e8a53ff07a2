import type { CallCount, CountedCalls } from '@gateleg/domain/accounts/attempts/count-calls'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { inSeconds } from '@gateleg/domain/values/in-seconds'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Who is counted together where there are more callers than are counted each by themselves. */
const crowd = 'the others'

/** How many calls a caller may make in which time, and how many of them are left. */
export interface Standing {
  /** For the header `RateLimit-Policy`. */
  readonly policy: string
  /** For the header `RateLimit`. */
  readonly left: string
}

/** Hears how a caller stands, be the call let through or refused. */
export type Tell = (standing: Standing) => void

/** Counts calls for all servers of a storage; undefined where this is the only one. */
export type CountForAll = (calls: CountedCalls, caller: string) => Promise<CallCount | undefined>

/** What a limit is called in headers, and how many calls it allows in so many seconds. */
interface RateLimitOptions {
  readonly name: string
  readonly calls: number
  readonly seconds: number
  /** Callers that are counted each by themselves in a window. */
  readonly callersMost?: number
  /** Where servers share a storage, so that many of them don't allow many times as much. When not given, each allows as much. */
  readonly countForAll?: CountForAll | undefined
  /** Calls of a caller that are counted for all servers together, so that few of them wait for the storage; 1 when not given. */
  readonly countedTogether?: number
}

/**
 * Limits the calls of each caller in a window of time. What this process alone has had too many of it refuses by itself: the
 * storage is asked for no more calls of a caller than the limit allows.
 */
export class RateLimit {
  readonly #limiter: RateLimiterMemory
  readonly #name: string
  readonly #calls: number
  readonly #seconds: number
  readonly #policy: string
  readonly #callersMost: number
  readonly #countForAll: CountForAll | undefined
  readonly #countedTogether: number
  /** Counts of callers that the storage is asked for, which their next calls wait for. */
  readonly #asked = new Map<string, Promise<CallCount | undefined>>()
  /** Callers that came new since the time, which is that of the last window but one at most. */
  #newCallers = 0
  #newSinceMs = performance.now()

  constructor(options: RateLimitOptions) {
    const { name, calls, seconds, countForAll } = options
    const { callersMost = limits.callersCounted, countedTogether = 1 } = options
    this.#limiter = new RateLimiterMemory({ points: calls, duration: seconds })
    this.#name = name
    this.#policy = `"${name}";q=${calls};w=${seconds}`
    this.#calls = calls
    this.#seconds = seconds
    this.#callersMost = callersMost
    this.#countForAll = countForAll
    this.#countedTogether = countedTogether
  }

  /**
   * Counts a call, and tells how the caller stands after it; `too_many_requests` when they have had all that there are for
   * now.
   */
  async take(caller: string, tell: Tell = () => {}): Promise<void> {
    const key = (await this.#isCounted(caller)) ? caller : crowd
    const here = await this.#countHere(key)
    const ofAll = here.isGranted ? await this.#countOfAll(key, caller, here) : undefined
    const count = ofAll ? strictest(here, ofAll) : here
    tell(this.#standingOf(count))
    if (count.isGranted) return
    if (ofAll) await this.#limiter.block(key, Math.max(1, count.msLeft) / 1_000)
    throw tooMany(count.msLeft)
  }

  async #countHere(key: string): Promise<CallCount> {
    try {
      const counted = await this.#limiter.consume(key)
      if (counted.isFirstInDuration) this.#newCallers++
      return { isGranted: true, left: counted.remainingPoints, msLeft: counted.msBeforeNext }
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      return { isGranted: false, left: 0, msLeft: refusal.msBeforeNext }
    }
  }

  /** The count of all servers; undefined where this call is one of those that are counted together with a later one. */
  async #countOfAll(
    key: string,
    caller: string,
    { left }: CallCount,
  ): Promise<CallCount | undefined> {
    const countForAll = this.#countForAll
    if (!countForAll) return undefined
    const before = this.#asked.get(key)
    if ((this.#calls - left) % this.#countedTogether > 0) return before
    const calls = {
      ...{ subject: `${this.#name}:${key}`, most: this.#calls, seconds: this.#seconds },
      calls: this.#countedTogether,
    }
    const asked = Promise.resolve(before).then((count) =>
      count?.isGranted === false ? count : countForAll(calls, caller),
    )
    this.#asked.set(key, asked)
    try {
      return await asked
    } finally {
      if (this.#asked.get(key) === asked) this.#asked.delete(key)
    }
  }

  #standingOf({ left, msLeft }: CallCount): Standing {
    const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
    return { policy: this.#policy, left: `"${this.#name}";r=${left};t=${seconds}` }
  }

  /** Whether the caller is counted by themselves: addresses are cheap, and each count takes memory. */
  async #isCounted(caller: string): Promise<boolean> {
    if (this.#newCallers < this.#callersMost) return true
    const nowMs = performance.now()
    if (nowMs - this.#newSinceMs > this.#seconds * 1_000) {
      this.#newSinceMs = nowMs
      this.#newCallers = 0
      return true
    }
    return (await this.#limiter.get(caller)) !== null
  }
}

/** The count that refuses, else the one by which fewer calls are left. */
function strictest(here: CallCount, ofAll: CallCount): CallCount {
  return ofAll.isGranted && here.left < ofAll.left ? here : ofAll
}

function tooMany(waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new DomainError(
    'too_many_requests',
    `Too many requests: try again in ${inSeconds(retryAfterSeconds)}`,
    { retryAfterSeconds },
  )
}

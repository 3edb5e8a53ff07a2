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

/** What a limit is called in headers, and how many calls it allows in so many seconds. */
export interface RateLimitOptions {
  readonly name: string
  readonly calls: number
  readonly seconds: number
  /** Callers that are counted each by themselves in a window. */
  readonly callersMost?: number
}

/** Limits the calls of each caller in a window of time. They are counted in this process only. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory
  readonly #name: string
  readonly #policy: string
  readonly #windowMs: number
  readonly #callersMost: number
  /** Callers that came new since the time, which is that of the last window but one at most. */
  #newCallers = 0
  #newSinceMs = performance.now()

  constructor({ name, calls, seconds, callersMost = limits.callersCounted }: RateLimitOptions) {
    this.#limiter = new RateLimiterMemory({ points: calls, duration: seconds })
    this.#name = name
    this.#policy = `"${name}";q=${calls};w=${seconds}`
    this.#windowMs = seconds * 1_000
    this.#callersMost = callersMost
  }

  /**
   * Counts a call, and tells how the caller stands after it; `too_many_requests` when they have had all that there are for
   * now.
   */
  async take(caller: string, tell: Tell = () => {}): Promise<void> {
    const key = (await this.#isCounted(caller)) ? caller : crowd
    try {
      const counted = await this.#limiter.consume(key)
      tell(this.#standingOf(counted))
      if (counted.isFirstInDuration) this.#newCallers++
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      tell(this.#standingOf(refusal))
      throw tooMany(refusal.msBeforeNext)
    }
  }

  #standingOf({ remainingPoints, msBeforeNext }: RateLimiterRes): Standing {
    const left = `"${this.#name}";r=${remainingPoints};t=${Math.max(1, Math.ceil(msBeforeNext / 1_000))}`
    return { policy: this.#policy, left }
  }

  /** Whether the caller is counted by themselves: addresses are cheap, and each count takes memory. */
  async #isCounted(caller: string): Promise<boolean> {
    if (this.#newCallers < this.#callersMost) return true
    const nowMs = performance.now()
    if (nowMs - this.#newSinceMs > this.#windowMs) {
      this.#newSinceMs = nowMs
      this.#newCallers = 0
      return true
    }
    return (await this.#limiter.get(caller)) !== null
  }
}

function tooMany(waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new DomainError(
    'too_many_requests',
    `Too many requests: try again in ${inSeconds(retryAfterSeconds)}`,
    { retryAfterSeconds },
  )
}

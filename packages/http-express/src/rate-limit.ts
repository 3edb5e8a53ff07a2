import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { inSeconds } from '@gateleg/domain/values/in-seconds'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Who is counted together where there are more callers than are counted each by themselves. */
const crowd = 'the others'

/** Limits the calls of each caller in a window of time. They are counted in this process only. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory
  readonly #windowMs: number
  readonly #callersMost: number
  /** Callers that came new since the time, which is that of the last window but one at most. */
  #newCallers = 0
  #newSinceMs = performance.now()

  constructor(calls: number, seconds: number, callersMost: number = limits.callersCounted) {
    this.#limiter = new RateLimiterMemory({ points: calls, duration: seconds })
    this.#windowMs = seconds * 1_000
    this.#callersMost = callersMost
  }

  /** Counts a call; `too_many_requests` when the caller has had all that there are for now. */
  async take(caller: string): Promise<void> {
    const key = (await this.#isCounted(caller)) ? caller : crowd
    try {
      const { isFirstInDuration } = await this.#limiter.consume(key)
      if (isFirstInDuration) this.#newCallers++
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw tooMany(refusal.msBeforeNext)
    }
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

import type { Clock } from '@gateleg/domain/clock'

/** Milliseconds that the time holds still at most. What is set back further was ahead before. */
const holdMsMax = 120_000

/**
 * The system's time, held still where the system's clock is set back a little: what came later is not to
 * look as if it had come before. Where it is set back by more, the time follows: it must not stand for as
 * long as the clock was ahead.
 */
export class SystemClock implements Clock {
  #latestMs = 0

  now(): number {
    const nowMs = Date.now()
    if (nowMs > this.#latestMs || nowMs < this.#latestMs - holdMsMax) this.#latestMs = nowMs
    return this.#latestMs
  }
}

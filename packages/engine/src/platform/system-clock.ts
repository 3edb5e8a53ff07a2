import type { Clock } from '@gateleg/domain/clock'

/** Milliseconds that the time holds still at most. What is set back further was ahead before. */
const holdMsMax = 120_000

/**
 * The time of the system. When the system's clock is set back a little, this clock stands still until that has caught
 * up, so that later events don't look earlier. When it is set back by more, this clock follows, so that it doesn't
 * stand still for long.
 */
export class SystemClock implements Clock {
  #latestMs = 0

  now(): number {
    const nowMs = Date.now()
    if (nowMs > this.#latestMs || nowMs < this.#latestMs - holdMsMax) this.#latestMs = nowMs
    return this.#latestMs
  }
}

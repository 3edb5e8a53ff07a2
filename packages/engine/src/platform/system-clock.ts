import type { Clock } from '@gateleg/domain/clock'

/** The system's time, held still where the system's clock is set back. */
export class SystemClock implements Clock {
  #latestMs = 0

  now(): number {
    this.#latestMs = Math.max(this.#latestMs, Date.now())
    return this.#latestMs
  }
}

import type { Clock } from '@gateleg/domain/clock'

/** A clock that stands still until it is told to move. */
export class FixedClock implements Clock {
  #nowMs: number

  constructor(start = '2026-01-01T00:00:00.000Z') {
    this.#nowMs = Date.parse(start)
  }

  now(): number {
    return this.#nowMs
  }

  advance(milliseconds: number): void {
    this.#nowMs += milliseconds
  }
}

import { type DomainError, serviceBusy } from '@gateleg/domain/errors'

export interface TwoLaneOptions {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number
  /** Pieces that wait in each lane before more are refused. */
  readonly waiting: Readonly<Record<Lane, number>>
}

/** Urgent work comes first; of five waiting pieces that start, one is from the other lane if it has any. */
export type Lane = 'urgent' | 'other'

const urgentInARow = 4
const retryAfterSeconds = 2

/** Limits slow work: a few pieces run at the same time, a few wait, and the rest is refused. */
export class TwoLaneQueue {
  readonly #options: TwoLaneOptions
  readonly #lanes: Readonly<Record<Lane, (() => void)[]>> = { urgent: [], other: [] }
  #running = 0
  /** Urgent pieces that have started one after another since a piece of the other lane, or since none waited. */
  #urgentStarted = 0

  constructor(options: TwoLaneOptions) {
    this.#options = options
  }

  /** Runs the work when it is its turn; `service_busy` when too much waits already. */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.atOnce) await this.#wait(lane)
    else this.#running++
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait(lane: Lane): Promise<void> {
    const waiting = this.#lanes[lane]
    if (waiting.length >= this.#options.waiting[lane]) throw busy()
    return new Promise((resolve) => waiting.push(resolve))
  }

  /** Hands the place of what has ended to what waits. */
  #startNext(): void {
    const { urgent, other } = this.#lanes
    const isTurnOfOther = urgent.length === 0 || this.#urgentStarted >= urgentInARow
    const lane = isTurnOfOther && other.length > 0 ? other : urgent
    const start = lane.shift()
    if (!start) this.#running--
    // Only while others wait does it matter how many urgent ones went before them.
    this.#urgentStarted = start && lane === urgent ? this.#urgentStarted + 1 : 0
    start?.()
  }
}

function busy(): DomainError {
  return serviceBusy('Too many passwords wait to be checked', retryAfterSeconds)
}

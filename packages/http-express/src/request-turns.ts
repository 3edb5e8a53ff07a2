import type { IncomingMessage } from 'node:http'
import { FairQueue } from '@gateleg/domain/fair-queue'
import { limits } from '@gateleg/domain/limits'

/** So many requests that wait are tried in one turn: more don't fit into its time. */
const mostInTurn = 100

/**
 * Starts requests for a few milliseconds at a time. When very many arrive at once, the event loop would start all of
 * them before anything else; here the rest waits while other work goes on. Callers take turns: many people who sign
 * in don't delay those who have.
 */
export class RequestTurns {
  readonly #waiting = new FairQueue<() => void>('requestsWaitingPerCaller')
  /** When this turn of the loop began its first request; none between turns. */
  #startedMs: number | undefined

  /**
   * Undefined when the request may begin at once, else what resolves when it may; `service_busy` when too many of the
   * caller wait already.
   */
  enter(request: IncomingMessage): Promise<void> | undefined {
    if (this.#waiting.size === 0) {
      if (this.#startedMs === undefined) {
        this.#startedMs = performance.now()
        setImmediate(this.#nextTurn)
      }
      if (!this.#isOver()) return undefined
    }
    return new Promise((resolve) => this.#waiting.add(callerOf(request), resolve))
  }

  #isOver(): boolean {
    return performance.now() - (this.#startedMs ?? 0) >= limits.requestsBegunMs
  }

  readonly #nextTurn = (): void => {
    this.#startedMs = undefined
    this.#waiting.take()?.()
    const left = this.#waiting.size
    if (left === 0) return
    // What follows from one request at once is done before the next immediate, so that the turn's time counts it.
    for (let n = 0; n < Math.min(left, mostInTurn); n++) setImmediate(this.#beginInTime)
    setImmediate(this.#nextTurn)
  }

  readonly #beginInTime = (): void => {
    this.#startedMs ??= performance.now()
    if (!this.#isOver()) this.#waiting.take()?.()
  }
}

/** Whoever shows a credential, good or not, is a caller by it; all others are by where they connect from. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''
}

import type { IncomingMessage } from 'node:http'
import { type DomainError, serviceBusy } from '@gateleg/domain/errors'
import { FairQueue } from '@gateleg/domain/fair-queue'
import { limits } from '@gateleg/domain/limits'
import { ConnectionLost } from './body-reader.ts'

/** So many requests that wait are tried in one turn: more don't fit into its time. */
const mostInTurn = 100

/** Seconds after which a caller for whom there was no place may try again. */
const retryAfterSeconds = 5

/** A request that waits for its turn. */
interface Waiting {
  readonly request: IncomingMessage
  readonly begin: () => void
  readonly giveUp: (error: Error) => void
}

/** Whose turn a request is in. */
export interface RequestLane {
  readonly caller: string
  /** Whether it is known who that is; all others share what places there are. */
  readonly isKnown: boolean
}

/**
 * Lets requests begin for some milliseconds at a time. When very many arrive at once, the event loop would begin them
 * all before it looks at anything else; the rest of them wait here while it does. Callers take turns: a crowd that signs
 * in keeps nobody waiting who has done so.
 */
export class RequestTurns {
  readonly #waiting = new FairQueue<Waiting>('requestsWaitingPerCaller')
  /** When this turn of the loop began its first request; none between turns. */
  #startedMs: number | undefined

  /**
   * Undefined when the request may begin at once, else what resolves when it may; `service_busy` when too many of the
   * caller wait already, or of all who aren't known, `ConnectionLost` when it was closed meanwhile. The lane is asked for
   * where the request waits.
   */
  enter(request: IncomingMessage, laneOf: () => RequestLane): Promise<void> | undefined {
    if (this.#waiting.size === 0) {
      if (this.#startedMs === undefined) {
        this.#startedMs = performance.now()
        setImmediate(this.#nextTurn)
      }
      if (!this.#isOver()) return undefined
    }
    const { caller, isKnown } = laneOf()
    if (!isKnown && this.#waiting.size >= limits.requestsWaiting) return Promise.reject(tooMany())
    return new Promise((begin, giveUp) => this.#waiting.add(caller, { request, begin, giveUp }))
  }

  #isOver(): boolean {
    return performance.now() - (this.#startedMs ?? 0) >= limits.requestsBegunMs
  }

  readonly #nextTurn = (): void => {
    this.#startedMs = undefined
    this.#beginNext()
    const left = this.#waiting.size
    if (left === 0) return
    // What follows from one request at once is done before the next immediate, so that the turn's time counts it.
    for (let n = 0; n < Math.min(left, mostInTurn); n++) setImmediate(this.#beginInTime)
    setImmediate(this.#nextTurn)
  }

  readonly #beginInTime = (): void => {
    this.#startedMs ??= performance.now()
    if (!this.#isOver()) this.#beginNext()
  }

  /** Begins the next one whose caller is still there. */
  #beginNext(): void {
    for (let next = this.#waiting.take(); next; next = this.#waiting.take()) {
      if (!next.request.socket.destroyed) {
        next.begin()
        return
      }
      next.giveUp(new ConnectionLost())
    }
  }
}

function tooMany(): DomainError {
  return serviceBusy('Too many requests wait already', retryAfterSeconds)
}

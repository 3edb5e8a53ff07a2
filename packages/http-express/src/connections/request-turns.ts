import type { IncomingMessage } from 'node:http'
import { type DomainError, serviceBusy } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { LoopTurns } from './loop-turns.ts'

/** Seconds after which a caller for whom there was no place may try again. */
const retryAfterSeconds = 5

/** Whose turn a request is in. */
export interface RequestLane {
  readonly caller: string
  /** Whether it is known who that is; all others share what places there are. */
  readonly isKnown: boolean
}

/**
 * Lets requests begin for some milliseconds at a time, callers in turn: a crowd that signs in keeps nobody waiting who
 * has done so.
 */
export class RequestTurns {
  readonly #turns = new LoopTurns(() => limits.requestsBegunMs)

  /**
   * Undefined when the request may begin at once, else what resolves when it may; `service_busy` when too many of the
   * caller wait already, or of all who aren't known, `ConnectionLost` when it was closed meanwhile. The lane is asked for
   * where the request waits.
   */
  enter(request: IncomingMessage, laneOf: () => RequestLane): Promise<void> | undefined {
    if (this.#turns.mayBegin()) return undefined
    const { caller, isKnown } = laneOf()
    if (!isKnown && this.#turns.size >= limits.requestsWaiting) return Promise.reject(tooMany())
    return this.#turns.wait(caller, () => request.socket.destroyed)
  }
}

function tooMany(): DomainError {
  return serviceBusy('Too many requests wait already', retryAfterSeconds)
}

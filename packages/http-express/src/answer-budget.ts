import { setTimeout } from 'node:timers'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/** Replaces some of the limits. */
export interface AnswerLimits {
  /** Bytes that large answers of all requests may take at the same time. */
  readonly bytesAtOnce: number
  /** Milliseconds that a request waits at most for others to be answered. */
  readonly waitMs: number
}

/** Seconds after which a caller who has waited in vain may try again. */
const retryAfterSeconds = 5

/** What one request has of the budget: first as much as an answer may take, then what it does take. */
export interface AnswerShare {
  /** Says how many bytes the answer has; what is not needed is given back. */
  keep(bytes: number): void
  /** Gives everything back. */
  end(): void
}

/** A request that waits for its share. */
interface Waiting {
  readonly caller: string
  readonly bytes: number
  readonly enter: () => void
}

/**
 * The bytes that answers full of records may take in memory at the same time, from before they are read
 * until they are sent. Requests wait for their share in the order in which they came; a caller who has their
 * part of the budget waits for their own answers, and keeps nobody else waiting.
 */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  #used = 0
  #waiting: Waiting[] = []
  /** The bytes of each caller who has any. */
  readonly #ofCallers = new Map<string, number>()

  constructor(replaced: Partial<AnswerLimits> = {}) {
    const { answerBytesAtOnce: bytesAtOnce, answerWaitSeconds } = limits
    this.#limits = { bytesAtOnce, waitMs: answerWaitSeconds * 1_000, ...replaced }
  }

  /**
   * A share for one request of the caller, of so many bytes until its size is known; `service_busy` when
   * others leave no room for too long, or too many requests of the caller wait already.
   */
  async open(caller: string, bytes: number = limits.answerBytes): Promise<AnswerShare> {
    if (this.#hasRoom(bytes) && this.#hasRoomOfTheirs(caller, bytes) && !this.#isPreceded()) {
      this.#add(caller, bytes)
    } else await this.#wait(caller, bytes)
    let held = bytes
    const hold = (kept: number) => {
      this.#add(caller, kept - held)
      held = kept
      this.#letIn()
    }
    return { keep: hold, end: () => hold(0) }
  }

  #add(caller: string, bytes: number): void {
    this.#used += bytes
    const ofCaller = (this.#ofCallers.get(caller) ?? 0) + bytes
    if (ofCaller === 0) this.#ofCallers.delete(caller)
    else this.#ofCallers.set(caller, ofCaller)
  }

  /** One answer always has room: it may be larger than the budget. */
  #hasRoom(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= this.#limits.bytesAtOnce
  }

  #hasRoomOfTheirs(caller: string, bytes: number): boolean {
    const held = this.#ofCallers.get(caller)
    return held === undefined || held + bytes <= this.#limits.bytesAtOnce / limits.answerCallers
  }

  /** Whether somebody waits whom their own answers don't keep waiting. */
  #isPreceded(): boolean {
    return this.#waiting.some(({ caller, bytes }) => this.#hasRoomOfTheirs(caller, bytes))
  }

  #wait(caller: string, bytes: number): Promise<void> {
    const ofCaller = this.#waiting.filter((one) => one.caller === caller)
    if (ofCaller.length >= limits.answersWaitingPerCaller) return Promise.reject(usedUp())
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const one: Waiting = { caller, bytes, enter }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== one)
        reject(usedUp())
        // Smaller ones may have waited for this one alone.
        this.#letIn()
      }, this.#limits.waitMs)
      this.#waiting.push(one)
    })
  }

  #letIn(): void {
    const before = this.#waiting
    if (before.length === 0) return
    const still: Waiting[] = []
    let isFull = false
    for (const one of before) {
      const isTheirTurn: boolean = !isFull && this.#hasRoomOfTheirs(one.caller, one.bytes)
      if (isTheirTurn && this.#hasRoom(one.bytes)) {
        this.#add(one.caller, one.bytes)
        one.enter()
        continue
      }
      // Who comes after one for whom there is no room waits as well, or large ones would never have any.
      isFull ||= isTheirTurn
      still.push(one)
    }
    this.#waiting = still
  }
}

function usedUp(): DomainError {
  return new DomainError(
    'service_busy',
    `Answers to other requests take all the memory there is for them: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}

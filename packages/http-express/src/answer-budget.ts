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

/**
 * The bytes that answers full of records may take in memory at the same time, from before they are read
 * until they are sent. Requests wait for their share in the order in which they came.
 */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  #used = 0
  #waiting: (() => void)[] = []

  constructor(replaced: Partial<AnswerLimits> = {}) {
    const { answerBytesAtOnce: bytesAtOnce, answerWaitSeconds } = limits
    this.#limits = { bytesAtOnce, waitMs: answerWaitSeconds * 1_000, ...replaced }
  }

  /** A share for one request; `service_busy` when others leave no room for too long. */
  async open(): Promise<AnswerShare> {
    let held: number = limits.answerBytes
    if (this.#hasRoom && this.#waiting.length === 0) this.#used += held
    else await this.#wait()
    const hold = (bytes: number) => {
      this.#used += bytes - held
      held = bytes
      this.#letIn()
    }
    return { keep: hold, end: () => hold(0) }
  }

  /** One answer always has room: it may be larger than the budget. */
  get #hasRoom(): boolean {
    return this.#used === 0 || this.#used + limits.answerBytes <= this.#limits.bytesAtOnce
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== enter)
        reject(usedUp())
      }, this.#limits.waitMs)
      this.#waiting.push(enter)
    })
  }

  #letIn(): void {
    while (this.#waiting.length > 0 && this.#hasRoom) {
      this.#used += limits.answerBytes
      this.#waiting.shift()?.()
    }
  }
}

function usedUp(): DomainError {
  return new DomainError(
    'service_busy',
    `Answers to other requests take all the memory there is for them: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}

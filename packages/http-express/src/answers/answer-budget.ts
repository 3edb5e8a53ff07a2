import { setTimeout } from 'node:timers'
import { type DomainError, serviceBusy } from '@gateleg/domain/errors'
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

/** The part of the budget that one request has: first as much as its answer may take, later what it does take. */
export interface AnswerShare {
  /** Says how many bytes the answer has so far, while it is made: beyond what was lent, they count at once. */
  grow(bytes: number): void
  /** Says how many bytes the answer has; what is not needed is given back. */
  keep(bytes: number): void
  /** Gives everything back. */
  end(): void
}

/** Bytes of a request, until its answer is known, and whose they are. */
interface Request {
  readonly caller: string
  readonly bytes: number
}

/** A request that waits for its share. */
interface Waiting extends Request {
  readonly enter: (part: Part) => void
}

/** What those who wait keep for themselves: who comes after them takes none of it. */
interface Line {
  isFull: boolean
  isFullForSmall: boolean
}

/**
 * The bytes that answers full of records may take in memory at the same time, from before their records are read
 * until they are sent. A part of them is for small answers only, so that large ones can't keep them out. Requests
 * wait for their share in the order in which they arrived; a caller who has used their part of the budget waits for
 * their own answers, and keeps nobody else waiting.
 */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  readonly #forAll: Part
  readonly #forSmall: Part
  #waiting: Waiting[] = []

  constructor(replaced: Partial<AnswerLimits> = {}) {
    const { answerBytesAtOnce: bytesAtOnce, answerWaitSeconds } = limits
    this.#limits = { bytesAtOnce, waitMs: answerWaitSeconds * 1_000, ...replaced }
    const bytesForSmall = (this.#limits.bytesAtOnce * limits.smallAnswersPercent) / 100
    this.#forAll = new Part(this.#limits.bytesAtOnce - bytesForSmall)
    this.#forSmall = new Part(bytesForSmall)
  }

  /**
   * A share for one request of the caller, of so many bytes until its size is known; `service_busy` when
   * others leave no room for so many milliseconds, or too many requests of the caller wait already.
   */
  async open(
    caller: string,
    bytes: number = limits.answerBytes,
    waitMs: number = this.#limits.waitMs,
  ): Promise<AnswerShare> {
    const request = { caller, bytes }
    const line = { isFull: false, isFullForSmall: false }
    for (const one of this.#waiting) this.#partFor(one, line)
    const free = this.#partFor(request, line)
    free?.add(caller, bytes)
    const part = free ?? (await this.#wait(request, Math.min(waitMs, this.#limits.waitMs)))
    let held = bytes
    const hold = (kept: number) => {
      part.add(caller, kept - held)
      held = kept
      this.#letIn()
    }
    let hasEnded = false
    return {
      grow: (bytes) => {
        if (bytes > held && !hasEnded) hold(bytes)
      },
      keep: hold,
      end: () => {
        hasEnded = true
        hold(0)
      },
    }
  }

  /**
   * Whether so many bytes would be had at once by a caller who has none yet: then there is no need to try with
   * fewer, which would read what is long twice.
   */
  isFreeFor(caller: string, bytes: number): boolean {
    const held = this.#forAll.of(caller) + this.#forSmall.of(caller)
    return held === 0 && this.#waiting.length === 0 && this.#forAll.hasRoom(bytes)
  }

  /** Where there is room for the request behind the line; undefined when it waits, as part of the line. */
  #partFor({ caller, bytes }: Request, line: Line): Part | undefined {
    const held = this.#forAll.of(caller) + this.#forSmall.of(caller)
    const most = this.#limits.bytesAtOnce / limits.answerCallers
    if (held > 0 && held + bytes > most) return undefined
    // One answer always has room: it may be larger than the budget.
    if (!line.isFull && (this.#forAll.isEmpty || this.#forAll.hasRoom(bytes))) return this.#forAll
    // Who comes after one for whom there is no room waits as well, or large ones would never have any.
    line.isFull = true
    const ofSmall = this.#forSmall.of(caller)
    const mostOfSmall = this.#forSmall.bytes / limits.answerCallers
    const isSmall = bytes <= limits.tentativeAnswerBytes
    if (!isSmall || (ofSmall > 0 && ofSmall + bytes > mostOfSmall)) return undefined
    if (!line.isFullForSmall && this.#forSmall.hasRoom(bytes)) return this.#forSmall
    line.isFullForSmall = true
    return undefined
  }

  #wait(request: Request, waitMs: number): Promise<Part> {
    const ofCaller = this.#waiting.filter(({ caller }) => caller === request.caller)
    if (ofCaller.length >= limits.answersWaitingPerCaller) return Promise.reject(usedUp())
    return new Promise((resolve, reject) => {
      const enter = (part: Part) => {
        clearTimeout(timer)
        resolve(part)
      }
      const one: Waiting = { ...request, enter }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== one)
        reject(usedUp())
        // Smaller ones may have waited for this one alone.
        this.#letIn()
      }, waitMs)
      this.#waiting.push(one)
    })
  }

  #letIn(): void {
    const before = this.#waiting
    if (before.length === 0) return
    const line = { isFull: false, isFullForSmall: false }
    this.#waiting = before.filter((one) => {
      const part = this.#partFor(one, line)
      if (!part) return true
      part.add(one.caller, one.bytes)
      one.enter(part)
      return false
    })
  }
}

/** Bytes that are lent, and who has them. */
class Part {
  readonly bytes: number
  #used = 0
  /** The bytes of each caller who has any. */
  readonly #ofCallers = new Map<string, number>()

  constructor(bytes: number) {
    this.bytes = bytes
  }

  get isEmpty(): boolean {
    return this.#used === 0
  }

  of(caller: string): number {
    return this.#ofCallers.get(caller) ?? 0
  }

  hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.bytes
  }

  /** Lends the caller more, or takes back what is less than nothing. */
  add(caller: string, bytes: number): void {
    this.#used += bytes
    const ofCaller = this.of(caller) + bytes
    if (ofCaller === 0) this.#ofCallers.delete(caller)
    else this.#ofCallers.set(caller, ofCaller)
  }
}

function usedUp(): DomainError {
  return serviceBusy('The memory for answers is in use by other requests', retryAfterSeconds)
}

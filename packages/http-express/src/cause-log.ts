import type { Logger } from './logger.ts'

/** The cause of an answer 424, 503 or 507, as it is logged. */
export interface AnswerCause {
  readonly status: number
  readonly code: string
  /** What the database, the disk or the mail server calls it. */
  readonly causeCode: string | undefined
  readonly err: unknown
}

/** Milliseconds in which equal causes have one line. */
const everyMs = 60_000

/** Different causes that are told apart at a time; what comes beyond is one of its own. */
const causesMax = 100

/** A cause that was told, and how many equal ones came after it. */
interface Told {
  readonly atMs: number
  untold: number
}

/**
 * Logs the causes of answers: of the same cause one line a minute, with the number of times since the last line.
 * While the storage is out of reach every call fails, and a line for each would fill the disk and hide all others.
 */
export class CauseLog {
  readonly #logger: Logger
  readonly #nowMs: () => number
  readonly #told = new Map<string, Told>()

  /** By a clock in milliseconds that never goes back. */
  constructor(logger: Logger, nowMs: () => number = () => performance.now()) {
    this.#logger = logger
    this.#nowMs = nowMs
  }

  /** Tells the cause of the answer to a request, unless an equal one was told in the last minute. */
  note(requestId: string, cause: AnswerCause): void {
    const nowMs = this.#nowMs()
    const key = this.#keyOf(cause, nowMs)
    const told = this.#told.get(key)
    if (told && nowMs - told.atMs < everyMs) {
      told.untold++
      return
    }
    this.#told.set(key, { atMs: nowMs, untold: 0 })
    const since = told && told.untold > 0 ? { equalSince: told.untold } : {}
    this.#logger.error({ requestId, ...cause, ...since }, 'cause of an answer')
  }

  #keyOf({ status, code, causeCode, err }: AnswerCause, nowMs: number): string {
    const words = err instanceof Error ? err.message : ''
    const key = JSON.stringify([status, code, causeCode, words])
    if (this.#told.has(key) || this.#told.size < causesMax) return key
    for (const [one, { atMs }] of this.#told) if (nowMs - atMs >= everyMs) this.#told.delete(one)
    return this.#told.size < causesMax ? key : 'others'
  }
}

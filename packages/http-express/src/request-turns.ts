import { limits } from '@gateleg/domain/limits'

/**
 * Lets requests begin for some milliseconds at a time. When very many arrive at once, the event loop would begin them
 * all before it looks at anything else; the rest of them wait here, in the order in which they came, while it does.
 */
export class RequestTurns {
  readonly #waiting: (() => void)[] = []
  /** How many of those that wait have begun. */
  #begun = 0
  /** When this turn of the loop began its first request; none between turns. */
  #startedMs: number | undefined

  /** Undefined when the request may begin at once, else what resolves when it may. */
  enter(): Promise<void> | undefined {
    if (this.#startedMs === undefined) {
      this.#startedMs = performance.now()
      setImmediate(this.#nextTurn)
    }
    if (this.#waiting.length === 0 && !this.#isOver()) return undefined
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #isOver(): boolean {
    return performance.now() - (this.#startedMs ?? 0) >= limits.requestsBegunMs
  }

  readonly #nextTurn = (): void => {
    this.#startedMs = undefined
    if (this.#waiting.length === 0) return
    this.#startedMs = performance.now()
    setImmediate(this.#nextTurn)
    this.#beginNext()
  }

  /** Begins one that waits, and after it has come as far as it does by itself the one behind it, until the turn is over. */
  #beginNext(): void {
    const begin = this.#waiting[this.#begun]
    if (!begin) return
    this.#begun++
    if (this.#begun === this.#waiting.length) {
      this.#waiting.length = 0
      this.#begun = 0
    }
    begin()
    process.nextTick(() => {
      if (!this.#isOver()) this.#beginNext()
    })
  }
}

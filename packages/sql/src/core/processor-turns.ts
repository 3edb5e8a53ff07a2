/** Milliseconds that work may hold the processor: others that wait hardly notice so much. */
const turnMs = 10

/** The event loop of a thread, as far as turns need to know it. */
export interface EventLoop {
  /** Milliseconds by a clock that never goes back. */
  now(): number
  /** Calls once, after the loop has looked for what came in meanwhile. Calls are made in the order asked for. */
  nextTurn(call: () => void): void
}

const notYet = Promise.resolve()

/**
 * Shares a thread's processor among all work on it. A turn of the event loop has two shares of some
 * 10 ms: one for work that gave way before, which goes on one after another in the order in which it
 * gave way; and one for what the loop brings by itself, so that a short call isn't held up by the share
 * of a long one.
 */
export class ProcessorTurns {
  readonly #loop: EventLoop
  readonly #waiting: (() => void)[] = []
  /** When the share under way began; undefined while nobody has asked in this turn of the loop. */
  #began: number | undefined
  #isResuming = false
  #hasResumed = false

  constructor(loop: EventLoop) {
    this.#loop = loop
  }

  /** Whether it is time to give way. Costs a look at the clock. */
  get isOver(): boolean {
    if (this.#began !== undefined) return this.#loop.now() - this.#began >= turnMs
    this.#began = this.#loop.now()
    this.#loop.nextTurn(this.#begin)
    return false
  }

  /** Resolves at once as long as it isn't time yet, else when others have had their turn. */
  giveWay(): Promise<void> {
    return this.isOver ? this.wait() : notYet
  }

  /** Resolves when others have had their turn. */
  wait(): Promise<void> {
    if (this.#isResuming) {
      this.#isResuming = false
      this.#hasResumed = true
      this.#began = this.#loop.now()
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#loop.nextTurn(this.#resume)
    })
  }

  readonly #begin = () => {
    this.#began = undefined
    this.#isResuming = false
    this.#hasResumed = false
  }

  /** Lets one go on, unless those before it have used up the share: then it stays the next one. */
  readonly #resume = () => {
    if (this.#hasResumed || this.isOver) {
      this.#loop.nextTurn(this.#resume)
      return
    }
    this.#isResuming = true
    this.#waiting.shift()?.()
  }
}

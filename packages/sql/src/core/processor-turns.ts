/**
 * Milliseconds that work may hold the processor: others that wait hardly notice so much. What doesn't ask for a
 * while comes on top, and an answer that takes some statements waits for as many turns.
 */
const turnMs = 1.5

/** Milliseconds that a turn of the loop takes at least in which something came in. */
const eventMs = 0.05

/** The event loop of a thread, as far as turns need to know it. */
interface EventLoop {
  /** Milliseconds by a clock that never goes back. */
  now(): number
  /** Calls once, after the loop has looked for what came in meanwhile. Calls are made in the order asked for. */
  nextTurn(call: () => void): void
}

const notYet = Promise.resolve()

/**
 * Shares a thread's processor among all work on it. A turn of the event loop has two shares, each of
 * a millisecond or two: one for work that gave way before, which goes on one after another in the order in which it
 * gave way; and one for what the loop brings by itself, so that a short call isn't held up by the share
 * of a long one. Of some things, new connections among them, the loop brings one in a turn, however many there
 * are: while it brings something, as many turns as fit into its share pass before work is resumed again.
 */
export class ProcessorTurns {
  readonly #loop: EventLoop
  readonly #waiting: (() => void)[] = []
  /** When the share under way began; undefined while nobody has asked in this turn of the loop. */
  #began: number | undefined
  #isResuming = false
  #hasResumed = false
  /** Whether it was seen in this turn if something has come in. */
  #hasLooked = false
  /** When work that had been resumed held the processor last, and when it was last seen whether something came in. */
  #resumedUntil = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(loop: EventLoop) {
    this.#loop = loop
  }

  /** Milliseconds by the clock of the loop. */
  get nowMs(): number {
    return this.#loop.now()
  }

  /** Whether it is time to give way. Costs a look at the clock. */
  get isOver(): boolean {
    if (this.#began !== undefined) return this.#loop.now() - this.#began >= turnMs
    this.#began = this.#loop.now()
    this.#loop.nextTurn(this.#begin)
    return false
  }

  /** Resolves at once while it isn't time to give way, otherwise after other work has run. */
  giveWay(): Promise<void> {
    return this.isOver ? this.wait() : notYet
  }

  /** Resolves after other work has run. */
  wait(): Promise<void> {
    if (this.#isResuming) {
      this.#isResuming = false
      this.#hasResumed = true
      this.#began = this.#loop.now()
      this.#resumedUntil = this.#began
      this.#lookedAt = this.#began
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
    this.#hasLooked = false
  }

  /**
   * Looks at what the loop has brought since the last time. What took the whole share of work that is resumed was
   * such a turn's own work: it uses up its own share only, or else a loop that always brings something would keep
   * what waits from ever being resumed.
   */
  #look(): void {
    this.#hasLooked = true
    const now = this.#loop.now()
    const hasCome = now - this.#lookedAt >= eventMs
    this.#hasResumed = hasCome && now - this.#resumedUntil < turnMs
    this.#lookedAt = now
    this.#began = now
    if (!this.#hasResumed) this.#resumedUntil = now
  }

  /** Lets one go on, unless those before it have used up the share: then it stays the next one. */
  readonly #resume = () => {
    let isOver = this.isOver
    if (!this.#hasLooked) {
      this.#look()
      isOver = false
    }
    if (this.#hasResumed || isOver) {
      this.#loop.nextTurn(this.#resume)
      // To ask for as many turns as there are works takes a while, too.
      this.#lookedAt = this.#loop.now()
      return
    }
    this.#isResuming = true
    this.#waiting.shift()?.()
  }
}

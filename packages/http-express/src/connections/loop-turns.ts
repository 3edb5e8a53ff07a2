import { FairQueue } from '@gateleg/domain/structures/fair-queue'
import { ConnectionLost } from './connection-lost.ts'

/** So much work that waits is tried in one turn: more doesn't fit into its time. */
const mostInTurn = 100

/** Work that waits for its turn. */
interface Waiting {
  readonly isGone: () => boolean
  readonly begin: () => void
  readonly giveUp: (error: Error) => void
}

/**
 * Lets work of one kind begin for some milliseconds of each turn of the event loop. When very much of it arrives at once,
 * the loop would do it all before it looks at anything else; the rest waits here while it does. Callers take turns.
 */
export class LoopTurns {
  readonly #waiting = new FairQueue<Waiting>('requestsWaitingPerCaller')
  readonly #msPerTurn: () => number
  /** When this turn of the loop began the first of the work; none between turns. */
  #startedMs: number | undefined

  /** Takes how long work may begin in a turn, in milliseconds. */
  constructor(msPerTurn: () => number) {
    this.#msPerTurn = msPerTurn
  }

  /** How much of it waits. */
  get size(): number {
    return this.#waiting.size
  }

  /** Undefined when the work may begin at once, else what resolves when it may. */
  enter(caller: string): Promise<void> | undefined {
    return this.mayBegin() ? undefined : this.wait(caller, () => false)
  }

  /** Whether work may begin at once, as it does then; else it has to wait. */
  mayBegin(): boolean {
    if (this.#waiting.size > 0) return false
    if (this.#startedMs === undefined) {
      this.#startedMs = performance.now()
      setImmediate(this.#nextTurn)
    }
    return !this.#isOver()
  }

  /**
   * Resolves when the work may begin. `service_busy` when too much of the caller waits already; `ConnectionLost` where it is
   * gone when its turn comes.
   */
  wait(caller: string, isGone: () => boolean): Promise<void> {
    return new Promise((begin, giveUp) => this.#waiting.add(caller, { isGone, begin, giveUp }))
  }

  #isOver(): boolean {
    return performance.now() - (this.#startedMs ?? 0) >= this.#msPerTurn()
  }

  readonly #nextTurn = (): void => {
    this.#startedMs = undefined
    this.#beginNext()
    const left = this.#waiting.size
    if (left === 0) return
    // What follows from one piece of work at once is done before the next immediate, so that the turn's time counts it.
    for (let n = 0; n < Math.min(left, mostInTurn); n++) setImmediate(this.#beginInTime)
    setImmediate(this.#nextTurn)
  }

  readonly #beginInTime = (): void => {
    this.#startedMs ??= performance.now()
    if (!this.#isOver()) this.#beginNext()
  }

  /** Begins the next work whose caller is still there. */
  #beginNext(): void {
    for (let next = this.#waiting.take(); next; next = this.#waiting.take()) {
      if (!next.isGone()) {
        next.begin()
        return
      }
      next.giveUp(new ConnectionLost())
    }
  }
}

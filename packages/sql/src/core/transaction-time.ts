import { invalidAt } from '@gateleg/domain/errors'
import type { ProcessorTurns } from './processor-turns.ts'

/** The time that a transaction may take, and how it gives way to others meanwhile. */
export class TransactionTime {
  readonly #turns: Pick<ProcessorTurns, 'giveWay' | 'nowMs'>
  readonly #seconds: number
  readonly #endMs: number

  /** It begins now, and may take the seconds; any time where none are given. */
  constructor(
    turns: Pick<ProcessorTurns, 'giveWay' | 'nowMs'>,
    seconds: number = Number.POSITIVE_INFINITY,
  ) {
    this.#turns = turns
    this.#seconds = seconds
    this.#endMs = turns.nowMs + seconds * 1_000
  }

  /** Milliseconds by a clock that never goes back. */
  get nowMs(): number {
    return this.#turns.nowMs
  }

  /** Throws validation_error once the time is over. */
  requireLeft(): void {
    if (this.#turns.nowMs <= this.#endMs) return
    const message = `the call was given up after ${this.#seconds} seconds, and changed nothing: ask for less at once`
    throw invalidAt([], message)
  }

  /** Lets other work run when it is time for that; throws like `requireLeft`. */
  giveWay(): Promise<void> {
    this.requireLeft()
    return this.#turns.giveWay()
  }
}

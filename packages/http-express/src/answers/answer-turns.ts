import { limits } from '@gateleg/domain/limits'
import { FairQueue } from '@gateleg/domain/structures/fair-queue'

/** A request that waits for its turn. */
interface Waiting {
  readonly caller: string
  readonly enter: () => void
}

/**
 * Limits how many lists and long records are read and written as JSON at the same time. They share one processor:
 * more at once would only take longer each, and use more memory. Callers take turns, and one caller has a part of the
 * places at most.
 */
export class AnswerTurns {
  readonly #waiting = new FairQueue<Waiting>()
  /** How many turns each caller has who has any. */
  readonly #turnsOf = new Map<string, number>()
  #turns = 0

  /** Resolves when it is the caller's turn; what it resolves with ends it. `service_busy` when too many wait already. */
  async enter(caller: string): Promise<() => void> {
    if (this.#mayEnter(caller)) this.#begin(caller)
    else {
      await new Promise<void>((enter) => {
        this.#waiting.add(caller, { caller, enter })
      })
    }
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.#end(caller)
    }
  }

  /** The last turn is for callers who have none. */
  readonly #mayEnter = (caller: string): boolean => {
    const turns = this.#turnsOf.get(caller) ?? 0
    if (this.#turns >= limits.answersMadeAtOnce) return false
    const isLast = this.#turns === limits.answersMadeAtOnce - 1
    return turns === 0 || (!isLast && turns < limits.answersMadePerCaller)
  }

  #begin(caller: string): void {
    this.#turns++
    this.#turnsOf.set(caller, (this.#turnsOf.get(caller) ?? 0) + 1)
  }

  #end(caller: string): void {
    this.#turns--
    const left = (this.#turnsOf.get(caller) ?? 0) - 1
    if (left > 0) this.#turnsOf.set(caller, left)
    else this.#turnsOf.delete(caller)
    const next = this.#waiting.take(this.#mayEnter)
    if (!next) return
    this.#begin(next.caller)
    next.enter()
  }
}

import { FairQueue } from '@gateleg/domain/structures/fair-queue'

/** One place that callers have one after another, in turns. */
export class PlaceInTurn {
  readonly #waiting = new FairQueue<() => void>()
  #isTaken = false

  /** Resolves when it is the caller's turn, with what leaves the place again; `service_busy` when too many of the caller wait. */
  async enter(caller: string): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((enter) => this.#waiting.add(caller, enter))
    this.#isTaken = true
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = this.#waiting.take()
      if (next) next()
      else this.#isTaken = false
    }
  }
}

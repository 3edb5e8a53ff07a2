import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/** Counts the files that are being fetched, in all and for each caller. */
export class FetchPlaces {
  readonly #what: string
  readonly #taken = new Map<string, number>()
  #all = 0

  /** Takes what is said to be too much: `files are being fetched`. */
  constructor(what: string) {
    this.#what = what
  }

  /** Takes a place; what it answers gives it back, once. Throws `service_busy` where there is none. */
  take(caller: string): () => void {
    const own = this.#taken.get(caller) ?? 0
    if (own >= limits.fetchesPerCaller || this.#all >= limits.fetchesAtOnce) throw busy(this.#what)
    this.#taken.set(caller, own + 1)
    this.#all++
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#all--
      const left = (this.#taken.get(caller) ?? 1) - 1
      if (left > 0) this.#taken.set(caller, left)
      else this.#taken.delete(caller)
    }
  }
}

function busy(what: string): DomainError {
  return new DomainError('service_busy', `Too many ${what} elsewhere: try again in a while`, {
    retryAfterSeconds: 5,
  })
}

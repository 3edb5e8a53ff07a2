import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/** Counts the files that are being fetched, in all and for each caller. */
export class FetchPlaces {
  readonly #taken = new Map<string, number>()
  #all = 0

  /** Takes a place; what it answers gives it back, once. Throws `service_busy` where there is none. */
  take(caller: string): () => void {
    const own = this.#taken.get(caller) ?? 0
    if (own >= limits.fetchesPerCaller || this.#all >= limits.fetchesAtOnce) throw busy()
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

function busy(): DomainError {
  const message = 'Too many files are being fetched from elsewhere: try again in a while'
  return new DomainError('service_busy', message, { retryAfterSeconds: 5 })
}

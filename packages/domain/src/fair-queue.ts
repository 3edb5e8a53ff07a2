import { DomainError } from './errors.ts'
import { limits } from './limits.ts'

/** Whose transactions those are of which nobody said whose they are: the program's own. */
export const ownCaller = 'program'

type WaitingLimit =
  | 'transactionsWaitingPerCaller'
  | 'longReadsWaitingPerCaller'
  | 'thumbnailsWaitingPerCaller'

/**
 * What waits, each thing for a caller. Callers take turns: of each that waits one thing is taken before
 * a second one of any other, and the things of one caller are taken in the order in which they came.
 */
export class FairQueue<T> {
  readonly #limit: WaitingLimit
  /** What each caller waits for, the callers in the order of their turns. None is empty. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  /** Takes the name of the limit that says how many things of one caller may wait. */
  constructor(limit: WaitingLimit = 'transactionsWaitingPerCaller') {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** Adds at the end of what the caller waits for; `service_busy` when that is too much already. */
  add(caller: string, item: T): void {
    const items = this.#waiting.get(caller)
    if (!items) this.#waiting.set(caller, [item])
    else if (items.length < limits[this.#limit]) items.push(item)
    else throw tooMany(limits[this.#limit])
    this.#size++
  }

  /** What `take` would take. */
  get next(): T | undefined {
    for (const [first] of this.#waiting.values()) return first
    return undefined
  }

  /** The next one, whose caller's turn ends thereby; undefined when there is none that may go on. */
  take(mayGoOn: (caller: string, item: T) => boolean = () => true): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const [first] = items
      if (first === undefined || !mayGoOn(caller, first)) continue
      this.#waiting.delete(caller)
      const item = items.shift()
      if (items.length > 0) this.#waiting.set(caller, items)
      this.#size--
      return item
    }
    return undefined
  }

  /** Takes one out that waits no longer. */
  remove(caller: string, item: T): void {
    const items = this.#waiting.get(caller)
    const place = items?.indexOf(item) ?? -1
    if (!items || place === -1) return
    items.splice(place, 1)
    if (items.length === 0) this.#waiting.delete(caller)
    this.#size--
  }
}

function tooMany(most: number): DomainError {
  const retryAfterSeconds = 5
  return new DomainError(
    'service_busy',
    `${most} calls of yours wait already: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}

import { type DomainError, serviceBusy } from '../errors.ts'
import { limits } from '../limits.ts'

/** The caller of transactions for which no caller is named: the program itself. */
export const ownCaller = 'program'

type WaitingLimit =
  | 'transactionsWaitingPerCaller'
  | 'longReadsWaitingPerCaller'
  | 'thumbnailsWaitingPerCaller'
  | 'requestsWaitingPerCaller'

/**
 * A queue of items that each belong to a caller. Callers take turns: one item of every waiting caller is taken before a
 * second item of any of them, and the items of one caller are taken in the order in which they were added.
 */
export class FairQueue<T> {
  readonly #limit: WaitingLimit
  /** The waiting items by caller, with the callers in the order of their turns. No list is empty. */
  readonly #waiting = new Map<string, T[]>()
  #size = 0

  /** Takes the name of the limit for the number of waiting items of one caller. */
  constructor(limit: WaitingLimit = 'transactionsWaitingPerCaller') {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** Adds an item after the caller's other items; `service_busy` when too many of these wait already. */
  add(caller: string, item: T): void {
    const items = this.#waiting.get(caller)
    if (!items) this.#waiting.set(caller, [item])
    else if (items.length < limits[this.#limit]) items.push(item)
    else throw tooMany(limits[this.#limit])
    this.#size++
  }

  /** The item that `take` would take. */
  get next(): T | undefined {
    for (const [first] of this.#waiting.values()) return first
    return undefined
  }

  /** Takes the next item, which ends its caller's turn; undefined when no item may be taken. */
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

  /** Removes an item that no longer waits. */
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
  return serviceBusy(`${most} calls of yours wait already`, 5)
}

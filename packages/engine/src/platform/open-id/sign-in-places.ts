import { type DomainError, serviceBusy } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/** Somebody who waits for a place. */
interface Waiter {
  readonly owner: string
  /** Tells that they have one. */
  readonly enter: () => void
}

const retryAfterSeconds = 5

/**
 * The sign-ins at login providers that are under way, counted by who made the provider: spaces cost nothing, so whoever has a provider that
 * never answers could have it in as many as they like. Of the second half of the places nobody gets more than one, so that
 * a few such owners leave places for all others.
 */
export class SignInPlaces {
  readonly #taken = new Map<string, number>()
  /** Who waits, in the order in which they came. Nobody waits who may enter. */
  #waiting: Waiter[] = []
  #all = 0

  /**
   * Takes a place, as soon as there is one for the owner; what it answers gives it back, once. Throws `service_busy` where there is none
   * until the signal, or too many wait.
   */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    if (this.#mayEnter(owner)) this.#enter(owner)
    else await this.#wait(owner, signal)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#leave(owner)
    }
  }

  #mayEnter(owner: string): boolean {
    if (this.#all >= limits.openIdAtOnce) return false
    const own = this.#taken.get(owner) ?? 0
    return own === 0 || (own < limits.openIdPerOwner && this.#all < limits.openIdAtOnce / 2)
  }

  #enter(owner: string): void {
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1)
    this.#all++
  }

  #leave(owner: string): void {
    const left = (this.#taken.get(owner) ?? 1) - 1
    if (left > 0) this.#taken.set(owner, left)
    else this.#taken.delete(owner)
    this.#all--
    for (const waiter of this.#waiting) {
      if (this.#all >= limits.openIdAtOnce) break
      if (!this.#mayEnter(waiter.owner)) continue
      this.#enter(waiter.owner)
      waiter.enter()
    }
  }

  #wait(owner: string, signal: AbortSignal): Promise<void> {
    const own = this.#waiting.filter((waiter) => waiter.owner === owner).length
    const isFull = this.#waiting.length >= limits.openIdWaiting
    if (isFull || own >= limits.openIdWaitingPerOwner) throw busy()
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        end()
        reject(busy())
      }
      const enter = () => {
        end()
        resolve()
      }
      const waiter: Waiter = { owner, enter }
      this.#waiting.push(waiter)
      signal.addEventListener('abort', giveUp)
    })
  }
}

function busy(): DomainError {
  return serviceBusy('Too many people are signing in elsewhere', retryAfterSeconds)
}

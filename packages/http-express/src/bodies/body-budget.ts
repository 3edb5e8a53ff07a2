import { DomainError, serviceBusy } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/** The part of the budget that small bodies alone may use, so that large ones can't keep them out. */
const partOfSmallBodies = 1 / 4

/** Seconds after which a caller who found the budget used up may try again. */
const retryAfterSeconds = 5

/** Whose body it is, and whether it is small enough for a request without credentials. */
interface BodyTerms {
  readonly caller: string
  readonly isSmall: boolean
}

/** A body that is still coming: it may be given up where others need its room. */
interface Arriving {
  readonly caller: string
  readonly held: () => number
  /** Gives its bytes back, and ends it. */
  readonly giveUp: () => void
}

/**
 * The bytes that the bodies of all requests may take in memory at the same time, from their arrival until they are
 * answered. A caller may use a part of what is there for large bodies and of what is there for small ones; only a
 * single body may be larger. Where everything is used up, the caller who has most gives way to callers who have less:
 * one of their bodies that has not arrived completely is dropped. So nobody can keep others out with bodies that
 * never end.
 */
export class BodyBudget {
  readonly #bytes: number
  #used = 0
  /** The bytes of each caller who has any. */
  readonly #large = new Map<string, number>()
  readonly #small = new Map<string, number>()
  readonly #arriving = new Set<Arriving>()

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Bytes that one body can have of it when there is no other. */
  get mostOfOne(): number {
    return Math.floor(this.#bytes * (1 - partOfSmallBodies))
  }

  /** A share for one request, empty at first. End it when the request is answered. */
  open({ caller, isSmall }: BodyTerms): BodyShare {
    const most = isSmall ? this.#bytes : this.mostOfOne
    const ofCallers = isSmall ? this.#small : this.#large
    const mostOfCaller = (isSmall ? this.#bytes - this.mostOfOne : most) / limits.bodyCallers
    let held = 0
    let arriving: Arriving | undefined
    const add = (bytes: number) => {
      this.#used += bytes
      held += bytes
      const ofCaller = (ofCallers.get(caller) ?? 0) + bytes
      if (ofCaller === 0) ofCallers.delete(caller)
      else ofCallers.set(caller, ofCaller)
    }
    const hasArrived = () => {
      if (arriving) this.#arriving.delete(arriving)
      arriving = undefined
    }
    return {
      take: (bytes) => {
        if (held + bytes > most) throw tooMuch()
        const ofOthers = (ofCallers.get(caller) ?? 0) - held
        if (ofOthers > 0 && ofOthers + held + bytes > mostOfCaller) throw usedUp('your other')
        if (this.#used + bytes > most && !this.#makeRoom(caller, bytes, most)) throw usedUp('other')
        add(bytes)
      },
      arrives: (stop) => {
        const giveUp = () => {
          hasArrived()
          add(-held)
          stop(usedUp('other'))
        }
        arriving = { caller, held: () => held, giveUp }
        this.#arriving.add(arriving)
      },
      hasArrived,
      end: () => {
        hasArrived()
        add(-held)
      },
    }
  }

  /** Gives up bodies of callers who have more than the caller would have with so many bytes more, as many as it takes. */
  #makeRoom(caller: string, bytes: number, most: number): boolean {
    const ofCaller = this.#of(caller) + bytes
    while (this.#used + bytes > most) {
      let largest: Arriving | undefined
      for (const one of this.#arriving) {
        if (one.caller === caller || this.#of(one.caller) <= ofCaller) continue
        if (!largest || this.#comesBefore(one, largest)) largest = one
      }
      if (!largest) return false
      largest.giveUp()
    }
    return true
  }

  #comesBefore(one: Arriving, other: Arriving): boolean {
    const more = this.#of(one.caller) - this.#of(other.caller)
    return more > 0 || (more === 0 && one.held() > other.held())
  }

  #of(caller: string): number {
    return (this.#large.get(caller) ?? 0) + (this.#small.get(caller) ?? 0)
  }
}

/** The part of the budget that one request has. */
export interface BodyShare {
  /**
   * Takes more, or nothing: `service_busy` when there is no more for now, `payload_too_large` when there
   * would be none without the other requests either.
   */
  take(bytes: number): void
  /** Says that the body comes from now on: `stop` hears, with the reason, that it is given up for others. */
  arrives(stop: (reason: DomainError) => void): void
  /** Says that it has come whole: it is no longer given up. */
  hasArrived(): void
  /** Gives everything back. */
  end(): void
}

function tooMuch(): DomainError {
  return new DomainError(
    'payload_too_large',
    'The body needs more memory than the service has for bodies: send it in parts',
  )
}

function usedUp(whose: string): DomainError {
  return serviceBusy(
    `Bodies of ${whose} requests are using all the memory for bodies`,
    retryAfterSeconds,
  )
}

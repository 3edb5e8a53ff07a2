import { DomainError } from '@gateleg/domain/errors'

/** The part of the budget that small bodies alone may use, so that large ones can't keep them out. */
const partOfSmallBodies = 1 / 4

/** Seconds after which a caller who found the budget used up may try again. */
const retryAfterSeconds = 5

/**
 * The bytes that bodies of all requests may take in memory at the same time, from their arrival until they
 * are answered.
 */
export class BodyBudget {
  readonly #bytes: number
  #used = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Bytes that one body can have of it when there is no other. */
  get mostOfOne(): number {
    return Math.floor(this.#bytes * (1 - partOfSmallBodies))
  }

  /** A share for one request, empty at first. End it when the request is answered. */
  open({ isSmall }: { readonly isSmall: boolean }): BodyShare {
    const most = isSmall ? this.#bytes : this.mostOfOne
    let held = 0
    return {
      take: (bytes) => {
        if (held + bytes > most) throw tooMuch()
        if (this.#used + bytes > most) throw usedUp()
        this.#used += bytes
        held += bytes
      },
      end: () => {
        this.#used -= held
        held = 0
      },
    }
  }
}

/** What one request has of the budget. */
export interface BodyShare {
  /**
   * Takes more, or nothing: `service_busy` when there is no more for now, `payload_too_large` when there
   * would be none without the other requests either.
   */
  take(bytes: number): void
  /** Gives everything back. */
  end(): void
}

function tooMuch(): DomainError {
  return new DomainError(
    'payload_too_large',
    'The body takes more memory than the service has for bodies: send it in parts',
  )
}

function usedUp(): DomainError {
  return new DomainError(
    'service_busy',
    `Bodies of other requests take all the memory there is for them: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}

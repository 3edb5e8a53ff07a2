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

  /** A share for one request, empty at first. End it when the request is answered. */
  open({ isSmall }: { readonly isSmall: boolean }): BodyShare {
    const most = isSmall ? this.#bytes : this.#bytes * (1 - partOfSmallBodies)
    let held = 0
    return {
      take: (bytes) => {
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
  /** Takes more; `service_busy` when there is no more, in which case nothing is taken. */
  take(bytes: number): void
  /** Gives everything back. */
  end(): void
}

function usedUp(): DomainError {
  return new DomainError(
    'service_busy',
    `Bodies of other requests take all the memory there is for them: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  )
}

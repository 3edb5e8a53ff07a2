import { limits } from '@gateleg/domain/limits'

/** What one look at the storage found: what is wrong with it, or that nothing is. */
type Finding = { readonly isHealthy: boolean; readonly failure: unknown }

/** Looks whether the storage can be read, and says why it can't be. */
export type Check = (onFailure: (error: unknown) => void) => Promise<boolean>

/**
 * Looks at the storage for everybody who asks within `limits.healthSharedMs`: anybody may ask, without a credential, and
 * each look opens the file or takes a connection.
 */
export class SharedCheck {
  readonly #check: Check
  #finding: Promise<Finding> | undefined
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(check: Check) {
    this.#check = check
  }

  /** The last finding, or a new one where that is too old. */
  find(): Promise<Finding> {
    const now = performance.now()
    if (!this.#finding || now - this.#lookedMs >= limits.healthSharedMs) {
      this.#lookedMs = now
      this.#finding = this.#look()
    }
    return this.#finding
  }

  async #look(): Promise<Finding> {
    let failure: unknown
    const isHealthy = await this.#check((error) => {
      failure = error
    })
    return { isHealthy, failure }
  }
}

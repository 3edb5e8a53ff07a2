import { limits } from '@gateleg/domain/limits'

/** What one look at the storage found: what is wrong with it, or that nothing is. */
type Finding = { readonly isHealthy: boolean; readonly failure: unknown }

/** Checks whether the storage can be read, and reports why it can't. */
type Check = (onFailure: (error: unknown) => void) => Promise<boolean>

/**
 * Shares one check of the storage among all requests within `limits.healthSharedMs`, because anybody may ask without
 * a credential, and each check opens the file or takes a connection.
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

import type { LinkEnd } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import type { PlacedPair } from './link-repository.ts'

/** By record. */
type StoredLinks = ReadonlyMap<string, readonly string[]>

/** What else a batch does with links. */
interface BatchTerms {
  /** Hears of those that were stored together, and throws where they are too many. */
  readonly check?: (stored: StoredLinks) => Promise<void>
  /** Where links of records had been at the other end once; those that had been nowhere come last. */
  readonly placesOf?: ((recordIds: readonly string[]) => Promise<readonly PlacedPair[]>) | undefined
}

/**
 * All links of a link that had none, stored `limits.linksStoredAtOnce` at a time; each record is named once. Nobody
 * else stores any meanwhile.
 */
export class LinkBatch {
  readonly #tx: WriteTx
  readonly #end: LinkEnd
  readonly #terms: BatchTerms
  #byRecord = new Map<string, readonly string[]>()
  #count = 0
  /** The last places at records of the other end, as long as these are few enough to be held. */
  #last: Map<string, number> | undefined = new Map()

  constructor(tx: WriteTx, end: LinkEnd, terms: BatchTerms = {}) {
    this.#tx = tx
    this.#end = end
    this.#terms = terms
  }

  add(recordId: string, foreignIds: readonly string[]): void {
    this.#byRecord.set(recordId, foreignIds)
    this.#count += foreignIds.length
  }

  /** Whether they are to be stored now: memory needn't hold them all. */
  get areMany(): boolean {
    return this.#count >= limits.linksStoredAtOnce
  }

  /** Stores those that were added since the last time. */
  async store(): Promise<void> {
    if (this.#byRecord.size === 0) return
    const links = this.#byRecord
    this.#byRecord = new Map()
    this.#count = 0
    const places = await this.#terms.placesOf?.([...links.keys()])
    await this.#tx.links.replace(this.#end, links, { last: this.#last, places })
    if (this.#last && this.#last.size > limits.linksPerRequest) this.#last = undefined
    await this.#terms.check?.(links)
  }
}

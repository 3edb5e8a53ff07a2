import type { LinkEnd } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

/** By record. */
type StoredLinks = ReadonlyMap<string, readonly string[]>

/**
 * All links of a link that had none, stored `limits.linksStoredAtOnce` at a time; each record is named once. Nobody
 * else stores any meanwhile.
 */
export class LinkBatch {
  readonly #tx: WriteTx
  readonly #end: LinkEnd
  readonly #check: ((stored: StoredLinks) => Promise<void>) | undefined
  #byRecord = new Map<string, readonly string[]>()
  #count = 0
  /** The last places at records of the other end, as long as these are few enough to be held. */
  #last: Map<string, number> | undefined = new Map()

  /** `check` hears of those that were stored together, and throws where they are too many. */
  constructor(tx: WriteTx, end: LinkEnd, check?: (stored: StoredLinks) => Promise<void>) {
    this.#tx = tx
    this.#end = end
    this.#check = check
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
    await this.#tx.links.replace(this.#end, links, { last: this.#last })
    if (this.#last && this.#last.size > limits.linksPerRequest) this.#last = undefined
    await this.#check?.(links)
  }
}

import type { LinkSide } from '../fields/link-side.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

/** By record. */
type StoredLinks = ReadonlyMap<string, readonly string[]>

/** The links that records get, stored `limits.linksStoredAtOnce` at a time; each record is named once. */
export class LinkBatch {
  readonly #tx: WriteTx
  readonly #end: LinkSide
  readonly #check: ((stored: StoredLinks) => Promise<void>) | undefined
  #byRecord = new Map<string, readonly string[]>()
  #count = 0

  /** `check` hears of those that were stored together, and throws where they are too many. */
  constructor(tx: WriteTx, end: LinkSide, check?: (stored: StoredLinks) => Promise<void>) {
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
    await this.#tx.links.replace(this.#end, links)
    await this.#check?.(links)
  }
}

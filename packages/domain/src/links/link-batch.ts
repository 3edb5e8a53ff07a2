import type { LinkSide } from '../fields/link-side.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

/** The links that records get, stored `limits.linksStoredAtOnce` at a time; each record is named once. */
export class LinkBatch {
  readonly #tx: WriteTx
  readonly #end: LinkSide
  #byRecord = new Map<string, readonly string[]>()
  #count = 0

  constructor(tx: WriteTx, end: LinkSide) {
    this.#tx = tx
    this.#end = end
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
  }
}

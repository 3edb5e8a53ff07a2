import { limits } from '../../limits.ts'
import type { LinkedPair } from '../../links/link-repository.ts'

/** Records of a table that were copied, with the ids of their copies. */
export class CopiedRecords {
  readonly #idByOriginal = new Map<string, string>()
  readonly #groups: string[][] = []
  /** Links of the last group. */
  #links = 0

  /** Notes a copy, and how many links its original has in a field that has most of them. */
  add(originalId: string, copyId: string, links: number): void {
    this.#idByOriginal.set(originalId, copyId)
    if (this.#groups.length === 0 || this.#links >= limits.linksStoredAtOnce) {
      this.#groups.push([])
      this.#links = 0
    }
    this.#groups.at(-1)?.push(originalId)
    this.#links += links + 1
  }

  /** The originals in their order, so many at a time as have `limits.linksStoredAtOnce` links, or few more. */
  get groups(): readonly (readonly string[])[] {
    return this.#groups
  }

  /** The copies that each copy is linked to, in the order of the pairs; links to others are left out. */
  linksOfCopies(pairs: readonly LinkedPair[]): ReadonlyMap<string, readonly string[]> {
    const links = new Map<string, string[]>()
    for (const { recordId, foreignId } of pairs) {
      const id = this.#idByOriginal.get(recordId)
      const foreign = this.#idByOriginal.get(foreignId)
      if (id === undefined || foreign === undefined) continue
      const known = links.get(id)
      if (known) known.push(foreign)
      else links.set(id, [foreign])
    }
    return links
  }
}

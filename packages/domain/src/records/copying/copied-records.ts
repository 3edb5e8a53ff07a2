import { limits } from '../../limits.ts'
import type { LinkedPair } from '../../links/link-repository.ts'
import type { CopiedRecordIds } from './copied-record-ids.ts'

/** Records of a table that were copied and are linked to others, in groups. */
export class CopiedRecords {
  readonly #groups: string[][] = []
  /** Links of the last group. */
  #links = 0

  /** Notes an original, and how many links it has in a field that has most of them. */
  add(originalId: string, links: number): void {
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
}

/** The copies that each copy is linked to, in the order of the pairs of the originals. */
export function linksOfCopies(
  pairs: readonly LinkedPair[],
  recordIds: CopiedRecordIds,
): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>()
  for (const { recordId, foreignId } of pairs) {
    const id = recordIds.of(recordId)
    const foreign = recordIds.of(foreignId)
    const known = links.get(id)
    if (known) known.push(foreign)
    else links.set(id, [foreign])
  }
  return links
}

import type { Ids } from '../../ids.ts'

/** The ids that copies of records get, by those of the originals. */
export class CopiedRecordIds {
  readonly #ids: Pick<Ids, 'next' | 'many'>
  readonly #named: ReadonlySet<string>
  readonly #byOriginal = new Map<string, string>()

  /** Takes what makes new ids, and the ids of originals of which it is asked afterwards. */
  constructor(ids: Pick<Ids, 'next' | 'many'>, named: ReadonlySet<string> = new Set()) {
    this.#ids = ids
    this.#named = named
  }

  /** The id that the copy of a record has or is to get. */
  of(originalId: string): string {
    const known = this.#byOriginal.get(originalId)
    if (known !== undefined) return known
    const id = this.#ids.next('record')
    this.#byOriginal.set(originalId, id)
    return id
  }

  /** The ids that the copies of these records have or are to get; `keep` says whether any other record may name them. */
  ofPage(originalIds: readonly string[], keep: boolean): readonly string[] {
    return this.#ids.many('record', originalIds.length).map((id, index) => {
      const originalId = originalIds[index] ?? ''
      const known = this.#byOriginal.get(originalId)
      if (known !== undefined) return known
      if (keep || this.#named.has(originalId)) this.#byOriginal.set(originalId, id)
      return id
    })
  }

  /** What the copies of the named ones are called, by their originals; those of which there is none are left out. */
  ofNamed(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#named].flatMap((originalId) => {
        const id = this.#byOriginal.get(originalId)
        return id === undefined ? [] : [[originalId, id] as const]
      }),
    )
  }
}

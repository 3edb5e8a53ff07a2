import type { Ids } from '../../ids.ts'

/** The ids that copies of records get, by those of the originals. */
export class CopiedRecordIds {
  readonly #ids: Pick<Ids, 'next' | 'many'>
  readonly #byOriginal = new Map<string, string>()

  /** Takes what makes new ids. */
  constructor(ids: Pick<Ids, 'next' | 'many'>) {
    this.#ids = ids
  }

  /** The id that the copy of a record has or is to get. */
  of(originalId: string): string {
    const known = this.#byOriginal.get(originalId)
    if (known !== undefined) return known
    const id = this.#ids.next('record')
    this.#byOriginal.set(originalId, id)
    return id
  }

  /** The same for records that are copied together; `keep` says whether any other record may name them. */
  ofPage(originalIds: readonly string[], keep: boolean): readonly string[] {
    return this.#ids.many('record', originalIds.length).map((id, index) => {
      const originalId = originalIds[index] ?? ''
      const known = this.#byOriginal.get(originalId)
      if (known !== undefined) return known
      if (keep) this.#byOriginal.set(originalId, id)
      return id
    })
  }
}

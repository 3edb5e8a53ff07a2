import type { IndexDemand } from '@gateleg/domain/indexes/table-index'
import { limits } from '@gateleg/domain/limits'

/** Where it is noted which indexes queries would have. */
export interface IndexDemands {
  /** Notes that a query of the table would use an index of the key. */
  note(table: Pick<IndexDemand, 'tableId' | 'baseId'>, key: string): void
  /** What was noted at least so often; it is forgotten with that. */
  take(times: number): readonly IndexDemand[]
}

/** Notes nothing: for those whose queries don't count. */
export const nobodysDemand: IndexDemands = { note: () => {}, take: () => [] }

/** Counts in memory what queries would have an index for, since they may not write. Shared by all transactions. */
export class DemandForIndexes implements IndexDemands {
  readonly #counts = new Map<string, { readonly demand: IndexDemand; times: number }>()

  note({ tableId, baseId }: Pick<IndexDemand, 'tableId' | 'baseId'>, key: string): void {
    const id = `${tableId} ${key}`
    const known = this.#counts.get(id)
    if (known) {
      known.times++
      return
    }
    const [oldest] = this.#counts.keys()
    if (this.#counts.size >= limits.indexDemands && oldest !== undefined) {
      this.#counts.delete(oldest)
    }
    this.#counts.set(id, { demand: { tableId, baseId, key }, times: 1 })
  }

  take(times: number): readonly IndexDemand[] {
    const taken = [...this.#counts].filter(([, noted]) => noted.times >= times)
    for (const [id] of taken) this.#counts.delete(id)
    return taken.map(([, { demand }]) => demand)
  }
}

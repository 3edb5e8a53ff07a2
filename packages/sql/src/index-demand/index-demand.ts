import type { IndexDemand } from '@gateleg/domain/indexes/table-index'
import { limits } from '@gateleg/domain/limits'

/** Notes which indexes queries could use. */
export interface IndexDemands {
  /** Notes that a query of the table would use an index of the key. */
  note(table: Pick<IndexDemand, 'tableId' | 'baseId'>, key: string): void
  /** What was noted at least so often; it is forgotten with that. */
  take(times: number): readonly IndexDemand[]
}

/** Notes nothing, for callers whose queries don't count. */
export const nobodysDemand: IndexDemands = { note: () => {}, take: () => [] }

/** Counts in memory which indexes queries could use, because reads can't write. All transactions share it. */
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

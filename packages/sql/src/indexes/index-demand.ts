import type { IndexDemand } from '@gateleg/domain/indexes/table-index'
import { limits } from '@gateleg/domain/limits'

/** Counts in memory what queries would have an index for, since they may not write. Shared by all transactions. */
export class DemandForIndexes {
  readonly #counts = new Map<string, { readonly demand: IndexDemand; times: number }>()

  /** Notes that a query of the table would use an index of the key. */
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

  /** What was noted at least so often; it is forgotten with that. */
  take(times: number): readonly IndexDemand[] {
    const taken = [...this.#counts].filter(([, noted]) => noted.times >= times)
    for (const [id] of taken) this.#counts.delete(id)
    return taken.map(([, { demand }]) => demand)
  }
}

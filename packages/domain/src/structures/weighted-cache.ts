interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  /** Whether it was asked for since it was last passed over. */
  isUsed: boolean
}

/**
 * Remembers values by key until they weigh more than a limit together; then those go that were not asked
 * for lately. Weights are estimates, in bytes. A value heavier than all may be is not remembered.
 *
 * Not `lru-cache`, which can do this among much else: the domain imports Zod alone, and these are sixty lines.
 */
export class WeightedCache<Key, Value> {
  readonly #limit: number
  readonly #onRemove: (value: Value) => void
  readonly #entries = new Map<Key, Entry<Value>>()
  #weight = 0

  /** Takes the limit in bytes, and what hears of each value that goes. */
  constructor(limit: number, onRemove: (value: Value) => void = () => {}) {
    this.#limit = limit
    this.#onRemove = onRemove
  }

  /** What all values weigh. */
  get weight(): number {
    return this.#weight
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** Remembers the value in place of the one that the key had. */
  keep(key: Key, value: Value, weight: number): void {
    this.forget(key)
    if (weight > this.#limit) {
      this.#onRemove(value)
      return
    }
    this.#entries.set(key, { value, weight, isUsed: false })
    this.#weight += weight
    this.#shrink()
  }

  /** Forgets the value of the key, if there is one. */
  forget(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry) this.#remove(key, entry)
  }

  /** Goes from the oldest on; what was used stays, as the youngest, until it is come by again. */
  #shrink(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#limit) return
      if (entry.isUsed) {
        entry.isUsed = false
        this.#entries.delete(key)
        this.#entries.set(key, entry)
      } else this.#remove(key, entry)
    }
  }

  #remove(key: Key, { value, weight }: Entry<Value>): void {
    this.#entries.delete(key)
    this.#weight -= weight
    this.#onRemove(value)
  }
}

import type { Ids } from '@gateleg/domain/ids'
import { type IdKind, idPrefixes } from '@gateleg/domain/ids/id-prefixes'

/** Makes ids by counting, so that a test can name them: `rec0000000000000001`, `cho00000002`, ... */
export class CountingIds implements Ids {
  #made = 0

  next(kind: IdKind): string {
    return idPrefixes[kind] + this.#count(16)
  }

  many(kind: IdKind, count: number): readonly string[] {
    return Array.from({ length: count }, () => this.next(kind))
  }

  choice(): string {
    return `cho${this.#count(8)}`
  }

  revision(): string {
    return this.#count(8)
  }

  #count(length: number): string {
    this.#made++
    return String(this.#made).padStart(length, '0')
  }
}

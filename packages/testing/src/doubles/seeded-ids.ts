import type { Ids } from '@gateleg/domain/ids'
import { type IdKind, idPrefixes } from '@gateleg/domain/ids/id-prefixes'
import type { SeededRandom } from './seeded-random.ts'

/** Makes ids that look as those of production do, and are in the same order in every run of a replay. */
export class SeededIds implements Ids {
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  next(kind: IdKind): string {
    return idPrefixes[kind] + this.#random.unique(16)
  }

  many(kind: IdKind, count: number): readonly string[] {
    return Array.from({ length: count }, () => this.next(kind))
  }

  choice(): string {
    return `cho${this.#random.text(8)}`
  }

  revision(): string {
    return this.#random.unique(16)
  }
}

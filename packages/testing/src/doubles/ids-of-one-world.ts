import type { IdKind } from '@gateleg/domain/ids/id-prefixes'
import fc from 'fast-check'
import { SeededIds } from './seeded-ids.ts'
import { SeededRandom } from './seeded-random.ts'

let worlds = 0

/** Ids of which no two worlds of a suite have the same, but those of people: what Ada made stays hers elsewhere. */
export class IdsOfOneWorld extends SeededIds {
  readonly #ofPeople = new SeededIds(new SeededRandom())

  constructor(suite: string) {
    const random = new SeededRandom()
    random.restart(fc.hash(`${suite} ${worlds++}`))
    super(random)
  }

  override next(kind: IdKind): string {
    return kind === 'user' ? this.#ofPeople.next(kind) : super.next(kind)
  }
}

import { assert, DomainError } from '../errors.ts'
import type { Catalogue } from './catalogue.ts'
import { defaultCatalogue } from './default-catalogue.ts'
import type { Level, PlanLimits } from './product.ts'
import { SpaceEstimates } from './space-estimates.ts'

/** What a space has by its level. */
export interface Plan {
  readonly level: Level
  readonly limit: PlanLimits
}

/** Names of the limits that are switches. */
export type PlanSwitch = {
  [Name in keyof PlanLimits]-?: PlanLimits[Name] extends boolean ? Name : never
}[keyof PlanLimits]

/**
 * What is sold, and what each space has of it. The catalogue may be replaced at any time: whatever is asked
 * afterwards is answered from the new one.
 */
export class Plans {
  /** What is known of how much spaces have, as long as this engine runs. */
  readonly estimates = new SpaceEstimates()
  #catalogue: Catalogue
  #limitsByLevel: ReadonlyMap<Level, PlanLimits>

  /** Takes the catalogue to begin with, as `readCatalogue` answers it. */
  constructor(catalogue: Catalogue = defaultCatalogue) {
    this.#catalogue = catalogue
    this.#limitsByLevel = limitsIn(catalogue)
  }

  get catalogue(): Catalogue {
    return this.#catalogue
  }

  /** Takes another catalogue, as `readCatalogue` answers it. */
  replace(catalogue: Catalogue): void {
    this.#limitsByLevel = limitsIn(catalogue)
    this.#catalogue = catalogue
  }

  /** What the space has. Costs two look-ups in memory: writes ask it each time. */
  of(spaceId: string): Plan {
    const { level: ofOthers, spaces = {} } = this.#catalogue.plans
    const own = Object.hasOwn(spaces, spaceId) ? spaces[spaceId] : undefined
    const level = own ?? ofOthers
    const limit = this.#limitsByLevel.get(level)
    assert(limit, 'a catalogue has a product for each level that it gives')
    return { level, limit }
  }

  /** Throws `payment_required` when the level of the space doesn't have what the switch turns on. */
  requireOn(spaceId: string, name: PlanSwitch): void {
    const { level, limit } = this.of(spaceId)
    if (limit[name]) return
    const message = `The level "${level}" of this space does not include this (${name}): the space needs a higher level`
    throw new DomainError('payment_required', message, { limit: name, level })
  }
}

function limitsIn({ baseProducts, plans }: Catalogue): ReadonlyMap<Level, PlanLimits> {
  const ofCatalog = baseProducts.filter(({ catalog }) => catalog === plans.catalog)
  return new Map(ofCatalog.map(({ level, limit }) => [level, limit]))
}

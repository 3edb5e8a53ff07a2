import { defaultCatalogue } from '@gateleg/domain/billing/default-catalogue'
import { Plans } from '@gateleg/domain/billing/plans'
import type { PlanLimits } from '@gateleg/domain/billing/product'

/** The catalogue that is shipped, but that every space has these limits. */
export function plansLimitedTo(limit: Partial<PlanLimits>): Plans {
  const baseProducts = defaultCatalogue.baseProducts.map((product) =>
    product.catalog === 'self-hosted'
      ? { ...product, limit: { ...product.limit, ...limit } }
      : product,
  )
  return new Plans({ ...defaultCatalogue, baseProducts })
}

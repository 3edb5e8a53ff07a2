import { type FeatureRoutes, get } from '../operation.ts'

export const billingRoutes: FeatureRoutes<'billing'> = {
  listProducts: {
    ...get('/billing/all-products'),
    purpose:
      'Lists everything that the operator sells: levels of spaces, and additions to a single limit.',
    example: {},
  },
  listBaseProducts: {
    ...get('/billing/base-products'),
    purpose: 'Lists the products that give a space a level.',
    example: {},
  },
  listAddOnProducts: {
    ...get('/billing/add-on-products'),
    purpose: 'Lists the products that raise a single limit of a space.',
    example: {},
  },
  getSpaceUsage: {
    ...get('/space/{spaceId}/usage'),
    purpose: 'Returns the limits that a space has by its level, and how much of each is used.',
    example: { spaceId: '{spaceId}' },
  },
  getSubscription: {
    ...get('/space/{spaceId}/billing/subscription/summary'),
    purpose: 'Returns the level of a space.',
    example: { spaceId: '{spaceId}' },
  },
  listSubscriptions: {
    ...get('/billing/subscription/summary'),
    purpose: 'Lists the levels of the spaces in which the caller has a role.',
    example: {},
  },
}

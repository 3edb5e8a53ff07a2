import { type FeatureRoutes, get } from '../operation.ts'

export const billingRoutes: FeatureRoutes<'billing'> = {
  listProducts: {
    ...get('/billing/all-products'),
    purpose: 'Answers all that the operator sells: levels of spaces, and more of single things.',
    example: {},
  },
  listBaseProducts: {
    ...get('/billing/base-products'),
    purpose: 'Answers the products that give spaces a level.',
    example: {},
  },
  listAddOnProducts: {
    ...get('/billing/add-on-products'),
    purpose: 'Answers the products that give spaces more of one thing.',
    example: {},
  },
  getSpaceUsage: {
    ...get('/space/{spaceId}/usage'),
    purpose: 'Answers what a space may have by its level, and how much of it is there.',
    example: { spaceId: '{spaceId}' },
  },
  getSubscription: {
    ...get('/space/{spaceId}/billing/subscription/summary'),
    purpose: 'Answers the level of a space.',
    example: { spaceId: '{spaceId}' },
  },
  listSubscriptions: {
    ...get('/billing/subscription/summary'),
    purpose: 'Answers the levels of the spaces that the caller has a role in.',
    example: {},
  },
}

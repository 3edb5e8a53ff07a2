import { namedResource } from './named-resource.ts'

/** Dashboards, as the tree handles them. */
export const dashboard = namedResource({
  idKind: 'dashboard',
  actions: {
    read: 'base|read',
    create: 'base|update',
    update: 'base|update',
    delete: 'base|update',
  },
  urlOf: ({ baseId, resourceId }) => `/base/${baseId}/dashboard/${resourceId}`,
  repositoryOf: (tx) => tx.dashboards,
})

import { namedResource } from './named-resource.ts'

/** Workflows, as the tree handles them. */
export const workflow = namedResource({
  idKind: 'workflow',
  actions: {
    read: 'automation|read',
    create: 'automation|create',
    update: 'automation|update',
    delete: 'automation|delete',
  },
  urlOf: ({ baseId, resourceId }) => `/base/${baseId}/automation/${resourceId}`,
  repositoryOf: (tx) => tx.workflows,
})

import { type FeatureRoutes, get } from '../operation.ts'

export const viewRoutes: FeatureRoutes<'views'> = {
  listViews: {
    ...get('/table/{tableId}/view'),
    purpose: 'Lists the views of a table in their order.',
    example: { tableId: '{tableId}' },
  },
  getView: {
    ...get('/table/{tableId}/view/{viewId}'),
    isVersioned: true,
    purpose: 'Answers one view of a table.',
    example: { tableId: '{tableId}', viewId: '{viewId}' },
  },
}

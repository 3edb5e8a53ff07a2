import { type FeatureRoutes, get } from '../operation.ts'

export const viewRoutes: FeatureRoutes<'views'> = {
  listViews: get('/table/{tableId}/view'),
  getView: get('/table/{tableId}/view/{viewId}'),
}

import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const fieldRoutes: FeatureRoutes<'fields'> = {
  createField: post('/table/{tableId}/field'),
  listFields: get('/table/{tableId}/field'),
  getField: get('/table/{tableId}/field/{fieldId}'),
  updateField: patch('/table/{tableId}/field/{fieldId}'),
  deleteField: del('/table/{tableId}/field/{fieldId}'),
  deleteFields: del('/table/{tableId}/field'),
}

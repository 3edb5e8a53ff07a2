import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const fieldRoutes: FeatureRoutes<'fields'> = {
  createField: post('/table/{tableId}/field'),
  listFields: get('/table/{tableId}/field'),
  getDeleteReferences: get('/table/{tableId}/field/delete-references'),
  getField: get('/table/{tableId}/field/{fieldId}'),
  updateField: patch('/table/{tableId}/field/{fieldId}'),
  convertField: put('/table/{tableId}/field/{fieldId}/convert'),
  duplicateField: post('/table/{tableId}/field/{fieldId}/duplicate'),
  deleteField: del('/table/{tableId}/field/{fieldId}'),
  deleteFields: del('/table/{tableId}/field'),
  planCreation: post('/table/{tableId}/field/plan'),
  planConversion: put('/table/{tableId}/field/{fieldId}/plan', 201),
  planDeletion: del('/table/{tableId}/field/{fieldId}/plan'),
}

import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

export const recordRoutes: FeatureRoutes<'records'> = {
  createRecords: post('/table/{tableId}/record'),
  listRecords: get('/table/{tableId}/record'),
  getRecord: get('/table/{tableId}/record/{recordId}'),
  updateRecord: patch('/table/{tableId}/record/{recordId}'),
  updateRecords: patch('/table/{tableId}/record'),
  deleteRecord: del('/table/{tableId}/record/{recordId}'),
  deleteRecords: del('/table/{tableId}/record'),
}

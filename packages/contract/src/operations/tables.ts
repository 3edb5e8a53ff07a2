import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const tableRoutes: FeatureRoutes<'tables'> = {
  createTable: post('/base/{baseId}/table'),
  listTables: get('/base/{baseId}/table'),
  getTable: get('/base/{baseId}/table/{tableId}'),
  getDefaultView: get('/base/{baseId}/table/{tableId}/default-view-id'),
  renameTable: put('/base/{baseId}/table/{tableId}/name'),
  describeTable: put('/base/{baseId}/table/{tableId}/description'),
  setTableIcon: put('/base/{baseId}/table/{tableId}/icon'),
  moveTable: put('/base/{baseId}/table/{tableId}/order'),
  deleteTable: del('/base/{baseId}/table/{tableId}'),
  deleteTablePermanently: del('/base/{baseId}/table/{tableId}/permanent'),
}

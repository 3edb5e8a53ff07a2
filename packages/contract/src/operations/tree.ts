import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const treeRoutes: FeatureRoutes<'tree'> = {
  createNode: post('/base/{baseId}/node', 200),
  getNode: get('/base/{baseId}/node/{nodeId}'),
  listNodes: get('/base/{baseId}/node/list'),
  getTree: get('/base/{baseId}/node/tree'),
  updateNode: put('/base/{baseId}/node/{nodeId}'),
  moveNode: put('/base/{baseId}/node/{nodeId}/move'),
  duplicateNode: post('/base/{baseId}/node/{nodeId}/duplicate'),
  deleteNode: del('/base/{baseId}/node/{nodeId}'),
  deleteNodePermanently: del('/base/{baseId}/node/{nodeId}/permanent'),
  createFolder: post('/base/{baseId}/node/folder', 200),
  renameFolder: patch('/base/{baseId}/node/folder/{folderId}'),
  deleteFolder: del('/base/{baseId}/node/folder/{folderId}'),
}

import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

export const treeRoutes: FeatureRoutes<'tree'> = {
  createNode: {
    ...post('/base/{baseId}/node', 200, { carriesRecords: true }),
    isVersioned: true,
    purpose: 'Creates a folder, table, dashboard or workflow, last in its folder or at the root.',
    example: { baseId: '{baseId}', resourceType: 'folder', name: 'Plans' },
  },
  getNode: {
    ...get('/base/{baseId}/node/{nodeId}'),
    isVersioned: true,
    purpose: 'Returns one node of the tree of a base.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}' },
  },
  listNodes: {
    ...get('/base/{baseId}/node/list'),
    purpose: "Lists the nodes of a base's tree that the caller may read, as a flat list.",
    example: { baseId: '{baseId}' },
  },
  getTree: {
    ...get('/base/{baseId}/node/tree'),
    purpose: 'Returns the whole tree of a base, and how deep folders may be nested.',
    example: { baseId: '{baseId}' },
  },
  updateNode: {
    ...put('/base/{baseId}/node/{nodeId}'),
    isVersioned: true,
    purpose:
      'Changes the name of what a node stands for, and the icon of a table. Other things have no icon: one that is sent is ignored.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}', name: 'Our books' },
  },
  moveNode: {
    ...put('/base/{baseId}/node/{nodeId}/move'),
    isVersioned: true,
    purpose:
      'Moves a node into a folder (to the root where `parentId` is null), or before or after another node.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}', parentId: '{folderNodeId}' },
  },
  duplicateNode: {
    ...post('/base/{baseId}/node/{nodeId}/duplicate'),
    isVersioned: true,
    purpose: 'Copies what a node stands for; the copy comes right after the original.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}', includeRecords: true },
  },
  deleteNode: {
    ...del('/base/{baseId}/node/{nodeId}'),
    purpose:
      'Moves what a node stands for to the trash of the base; an empty folder is deleted for good.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}' },
  },
  deleteNodePermanently: {
    ...del('/base/{baseId}/node/{nodeId}/permanent'),
    purpose: 'Deletes a node for good, together with what it stands for; a folder must be empty.',
    example: { baseId: '{baseId}', nodeId: '{tableNodeId}' },
  },
  createFolder: {
    ...post('/base/{baseId}/node/folder', 200),
    isVersioned: true,
    purpose: 'Creates a folder, in another folder or at the root of the tree.',
    example: { baseId: '{baseId}', name: 'Plans' },
  },
  renameFolder: {
    ...patch('/base/{baseId}/node/folder/{folderId}'),
    isVersioned: true,
    purpose: 'Renames a folder.',
    example: { baseId: '{baseId}', folderId: '{folderId}', name: 'Drafts' },
  },
  deleteFolder: {
    ...del('/base/{baseId}/node/folder/{folderId}'),
    purpose: 'Deletes a folder for good. What is in it stays, and takes the place of the folder.',
    example: { baseId: '{baseId}', folderId: '{folderId}' },
  },
}

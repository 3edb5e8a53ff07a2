import type { Scenario } from '../scenario.ts'

const node = '/api/base/{baseId}/node'
const folder = { resourceType: 'folder', name: 'Plans' } as const

/** The operations on the node tree, refusals first. */
export const treeScenarios: readonly Scenario[] = [
  {
    title: '[HTTP-11] refuses to create a node for nobody',
    method: 'POST',
    path: node,
    body: folder,
    status: 401,
    code: 'unauthorized',
  },
  {
    title: '[ACCESS-2] refuses to create a node for a stranger',
    as: 'stranger',
    method: 'POST',
    path: node,
    body: folder,
    status: 404,
    code: 'not_found',
  },
  {
    title: '[ACCESS-1] refuses to create a node for a viewer',
    as: 'viewer',
    method: 'POST',
    path: node,
    body: folder,
    status: 403,
    code: 'restricted_resource',
  },
  {
    title: '[TREE-1] refuses a kind of node that there is not, and says which there are',
    as: 'owner',
    method: 'POST',
    path: node,
    body: { resourceType: 'app', name: 'x' },
    status: 400,
    code: 'validation_error',
    contains: ['resourceType'],
  },
  {
    title: '[HTTP-2] refuses a node that is not there',
    as: 'owner',
    method: 'GET',
    path: `${node}/bnoNone`,
    status: 404,
    code: 'not_found',
  },
  {
    title: '[HTTP-15] answers 200 for a node that was created',
    as: 'owner',
    method: 'POST',
    path: node,
    body: folder,
    status: 200,
    contains: ['"resourceType":"folder"', '"name":"Plans"', '"children":[]'],
    events: ['node.created'],
  },
  {
    title: '[HTTP-1] lists the nodes where a node of that name might be',
    as: 'viewer',
    method: 'GET',
    path: `${node}/list`,
    status: 200,
    contains: ['{tableNodeId}', '{folderNodeId}'],
  },
  {
    title: '[HTTP-15] answers a node',
    as: 'viewer',
    method: 'GET',
    path: `${node}/{tableNodeId}`,
    status: 200,
    contains: ['"resourceId":"{tableId}"', '/base/{baseId}/table/{tableId}/{viewId}'],
  },
  {
    title: '[HTTP-15] answers what was deleted',
    as: 'owner',
    method: 'DELETE',
    path: `${node}/{tableNodeId}`,
    status: 200,
    contains: ['"resourceId":"{tableId}"', '"permanent":false'],
    events: ['table.deleted', 'node.deleted'],
  },
]

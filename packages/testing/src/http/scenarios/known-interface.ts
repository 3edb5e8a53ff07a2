import type { Scenario } from '../scenario.ts'
import { listProducts, signUp } from './calls-of-no-place.ts'
import { type CalledOperation, everyCaller } from './every-caller.ts'

const cell = '/api/table/{tableId}/record/{recordId}/{filesFieldId}'
const nodes = '/api/base/{baseId}/node'
const dashboards = '/api/base/{baseId}/dashboard'
const menu = '/api/table/{tableId}/plugin-context-menu'
const panelPlugin = '/api/table/{tableId}/plugin-panel/{pluginPanelId}/plugin/{panelInstallId}'
const view = '/api/table/{tableId}/view/{viewId}'
const login = '/api/space/{spaceId}/authentication'
const chart = '/api/plugin/chart/{panelInstallId}/plugin-panel/{pluginPanelId}/query'
const trash = '/api/trash/items?resourceType=table&resourceId={tableId}'
const resetOfTable = '/api/trash/reset-items?resourceType=table&resourceId={tableId}'
const resetOfBase = '/api/trash/reset-items?resourceType=base&resourceId={baseId}'

const file = { id: 'act0', name: 'again.txt', path: 'x', token: '{fileToken}', size: 1 }
const formType = { 'Content-Type': 'multipart/form-data; boundary=xBoundaryx' }
const formOf = (head: string, text: string) =>
  `--xBoundaryx\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n--xBoundaryx--\r\n`
const feishu = { type: 'feishu', config: { appId: 'cli_a', appSecret: 'told once' } }

/** The operations of the interface in a place, as others know them, in its order. */
const inPlaces: readonly CalledOperation[] = [
  {
    operation: 'attachments.insertAttachment',
    call: {
      ...{ method: 'POST', path: `${cell}/insertAttachment` },
      body: { attachments: [{ ...file, mimetype: 'image/png' }], anchorId: 'actNone' },
    },
    actions: ['record|update'],
    ids: ['tableId', 'recordId', 'filesFieldId'],
    wrong: {
      'no items': { body: { attachments: [] }, at: '"path":["attachments"]' },
      'what is no list': { body: { attachments: 'act0' }, at: '"path":["attachments"]' },
      'a token that was issued to nobody': {
        body: { attachments: [{ ...file, token: 'none' }] },
        at: 'token',
      },
    },
    success: {
      status: 201,
      contains: ['"id":"{recordId}"', '"{filesFieldId}":[', '"name":"again.txt"', 'text/plain'],
      lacks: ['image/png'],
      events: ['record.updated'],
    },
    effect: {
      ...{ method: 'GET', path: '/api/table/{tableId}/record/{recordId}', status: 200 },
      contains: ['"name":"note.txt"', '"name":"again.txt"'],
    },
  },
  {
    operation: 'attachments.uploadAttachment',
    call: {
      ...{ method: 'POST', path: `${cell}/uploadAttachment`, headers: formType },
      body: formOf('name="file"; filename="plan.txt"', 'A plan'),
    },
    actions: ['record|update'],
    ids: ['tableId', 'recordId', 'filesFieldId'],
    wrong: {
      'a form with neither a file nor its URL': { body: formOf('name="more"', 'x'), at: 'file' },
      'a URL that is none': { body: formOf('name="fileUrl"', 'plan.txt'), at: 'fileUrl' },
    },
    success: {
      status: 201,
      contains: ['"id":"{recordId}"', '"{filesFieldId}":[', '"name":"plan.txt"', '"size":6'],
      events: ['record.updated'],
    },
    effect: {
      ...{ method: 'GET', path: '/api/table/{tableId}/record/{recordId}', status: 200 },
      contains: ['"name":"note.txt"', '"name":"plan.txt"'],
    },
  },
  {
    operation: 'loginProviders.updateLoginProvider',
    call: { method: 'PUT', path: `${login}/{authenticationId}`, body: { ...feishu, name: 'Work' } },
    actions: ['space|update'],
    ids: ['spaceId', 'authenticationId'],
    wrong: {
      'a type that there is not': { body: { ...feishu, name: 'Work', type: 'x' }, at: 'type' },
      'no name': { body: feishu, at: '"path":["name"]' },
      'another id than that of the path': {
        body: { ...feishu, name: 'Work', id: 'autOther' },
        at: '"path":["id"]',
      },
    },
    success: { status: 200, lacks: ['{', 'told once'], events: ['space.updated'] },
    effect: {
      ...{ method: 'GET', path: login, status: 200 },
      contains: ['"id":"{authenticationId}"', '"name":"Work"', '"appSecret":"********"'],
    },
  },
  {
    operation: 'tree.createNode',
    call: {
      ...{ method: 'POST', path: nodes },
      body: { resourceType: 'folder', name: 'Plans', parentId: '{folderNodeId}' },
    },
    actions: ['base|update'],
    ids: ['baseId', 'folderNodeId'],
    wrong: {
      'a kind that there is not': { body: { resourceType: 'app', name: 'x' }, at: 'resourceType' },
      'a blank name': { body: { resourceType: 'folder', name: ' ' }, at: '"path":["name"]' },
      'a parent that is no folder': {
        body: { resourceType: 'folder', name: 'x', parentId: '{tableNodeId}' },
        at: '"path":["parentId"]',
      },
    },
    success: {
      status: 200,
      contains: ['"name":"Plans"', '"parent":{"id":"{folderNodeId}"}', '"children":[]'],
      events: ['node.created'],
    },
    effect: { method: 'GET', path: `${nodes}/list`, status: 200, contains: ['"name":"Plans"'] },
  },
  {
    operation: 'tree.updateNode',
    call: {
      ...{ method: 'PUT', path: `${nodes}/{tableNodeId}` },
      body: { name: 'Plans', icon: '🗺️' },
    },
    actions: ['table|read', 'table|update'],
    ids: ['baseId', 'tableNodeId'],
    wrong: {
      'a blank name': { body: { name: ' ' }, at: '"path":["name"]' },
      'a name that is no text': { body: { name: 7 }, at: '"path":["name"]' },
    },
    success: {
      status: 200,
      contains: ['"id":"{tableNodeId}"', '"name":"Plans"', '"icon":"🗺️"'],
      events: ['node.updated', 'table.updated'],
    },
    effect: {
      ...{ method: 'GET', path: '/api/base/{baseId}/table/{tableId}', status: 200 },
      contains: ['"name":"Plans"'],
    },
  },
  {
    operation: 'tree.getNode',
    call: { method: 'GET', path: `${nodes}/{tableNodeId}` },
    actions: ['table|read'],
    ids: ['baseId', 'tableNodeId'],
    wrong: {},
    success: {
      status: 200,
      contains: ['"id":"{tableNodeId}"', '"resourceId":"{tableId}"', '"defaultViewId":"{viewId}"'],
    },
    effect: { method: 'GET', path: `${nodes}/{tableId}`, status: 200, contains: ['{tableNodeId}'] },
  },
  {
    operation: 'tree.listNodes',
    call: { method: 'GET', path: `${nodes}/list` },
    actions: ['base|read'],
    ids: ['baseId'],
    wrong: {},
    success: {
      status: 200,
      contains: ['"id":"{tableNodeId}"', '"id":"{folderNodeId}"', '"id":"{dashboardNodeId}"'],
    },
    effect: { method: 'GET', path: `${nodes}/tree`, status: 200, contains: ['{tableNodeId}'] },
  },
  {
    operation: 'tree.deleteNode',
    call: { method: 'DELETE', path: `${nodes}/{tableNodeId}` },
    actions: ['table|delete'],
    ids: ['baseId', 'tableNodeId'],
    wrong: {},
    success: {
      status: 200,
      contains: ['{"resourceId":"{tableId}","resourceType":"table","permanent":false}'],
      events: ['table.deleted', 'node.deleted'],
    },
    effect: {
      ...{ method: 'GET', path: `${nodes}/{tableNodeId}`, status: 404, code: 'not_found' },
    },
  },
  {
    operation: 'dashboards.createDashboard',
    call: { method: 'POST', path: dashboards, body: { name: 'Loans by month' } },
    actions: ['base|update'],
    ids: ['baseId'],
    wrong: {
      'a blank name': { body: { name: ' ' }, at: '"path":["name"]' },
      'no name': { body: {}, at: '"path":["name"]' },
    },
    success: {
      status: 201,
      contains: ['{"id":"dsh', '"name":"Loans by month"}'],
      events: ['node.created'],
    },
    effect: { method: 'GET', path: dashboards, status: 200, contains: ['Loans by month'] },
  },
  {
    operation: 'dashboards.installOnDashboard',
    call: {
      ...{ method: 'POST', path: `${dashboards}/{dashboardId}/plugin` },
      body: { name: 'Loans', pluginId: 'plgchart' },
    },
    actions: ['base|update'],
    ids: ['baseId', 'dashboardId'],
    wrong: {
      'no name': { body: { pluginId: 'plgchart' }, at: '"path":["name"]' },
      'no plugin': { body: { name: 'Loans' }, at: '"path":["pluginId"]' },
      'a plugin that is made for other places': {
        body: { name: 'Loans', pluginId: 'plgcontextexample' },
        at: 'pluginId',
      },
    },
    success: {
      status: 201,
      contains: ['"id":"{dashboardId}"', '"pluginId":"plgchart"', '"name":"Loans"'],
      events: ['dashboard.updated', 'plugin_install.created'],
    },
    effect: {
      ...{ method: 'GET', path: `${dashboards}/{dashboardId}`, status: 200 },
      contains: ['"name":"Loans"', '"y":9007199254740991,"w":2,"h":2'],
    },
  },
  {
    operation: 'contextMenus.installInContextMenu',
    call: {
      ...{ method: 'POST', path: `${menu}/install` },
      body: { name: 'Count', pluginId: 'plgcontextexample' },
    },
    actions: ['table|update'],
    ids: ['tableId'],
    wrong: {
      'no plugin': { body: { name: 'Count' }, at: '"path":["pluginId"]' },
      'a blank name': {
        body: { name: ' ', pluginId: 'plgcontextexample' },
        at: '"path":["name"]',
      },
    },
    success: {
      status: 201,
      contains: ['"pluginInstallId":"pli', '"name":"Count"', '"order":3'],
      events: ['plugin_install.created'],
    },
    effect: { method: 'GET', path: menu, status: 200, contains: ['"name":"Count"'] },
  },
  {
    operation: 'contextMenus.listContextMenu',
    call: { method: 'GET', path: menu },
    actions: ['table|read'],
    ids: ['tableId'],
    wrong: {},
    success: {
      status: 200,
      contains: ['[{"pluginInstallId":"{menuInstallId}"', '"logo":"', '"order":1'],
      lacks: ['storage'],
    },
    effect: { method: 'GET', path: `${menu}/{otherMenuInstallId}`, status: 200 },
  },
  {
    operation: 'pluginPanels.renamePanelInstall',
    call: { method: 'PATCH', path: `${panelPlugin}/rename`, body: { name: 'At a glance' } },
    actions: ['table|update'],
    ids: ['tableId', 'pluginPanelId', 'panelInstallId'],
    wrong: {
      'a blank name': { body: { name: ' ' }, at: '"path":["name"]' },
      'no name': { body: {}, at: '"path":["name"]' },
    },
    success: {
      status: 200,
      contains: ['{"id":"{panelInstallId}","name":"At a glance"}'],
      events: ['plugin_panel.updated', 'plugin_install.updated'],
    },
    effect: { method: 'GET', path: panelPlugin, status: 200, contains: ['"name":"At a glance"'] },
  },
  {
    operation: 'views.sortViewManually',
    call: {
      ...{ method: 'PUT', path: `${view}/manual-sort` },
      body: { sortObjs: [{ fieldId: '{primaryFieldId}', order: 'asc' }] },
    },
    actions: ['view|update'],
    ids: ['tableId', 'viewId'],
    codeOfMissed: { viewId: 'view_not_found' },
    wrong: {
      'no order': { body: {}, at: '"path":["sortObjs"]' },
      'a direction that there is not': {
        body: { sortObjs: [{ fieldId: '{primaryFieldId}', order: 'up' }] },
        at: '"path":["sortObjs",0,"order"]',
      },
      'a field that is not there': {
        body: { sortObjs: [{ fieldId: 'fldNone', order: 'asc' }] },
        at: '"path":["sortObjs",0,"fieldId"]',
      },
    },
    success: { status: 200, lacks: ['{'], events: ['view.updated'] },
    effect: { method: 'GET', path: view, status: 200, contains: ['"manualSort":true'] },
  },
  {
    operation: 'views.lockView',
    call: { method: 'PUT', path: `${view}/locked`, body: { isLocked: true } },
    actions: ['view|update'],
    lowestRole: 'creator',
    ids: ['tableId', 'viewId'],
    codeOfMissed: { viewId: 'view_not_found' },
    wrong: { 'what is neither': { body: { isLocked: 'yes' }, at: '"path":["isLocked"]' } },
    success: { status: 200, lacks: ['{'], events: ['view.updated'] },
    effect: {
      ...{ method: 'PUT', path: `${view}/name`, body: { name: 'Other' }, status: 403 },
      code: 'restricted_resource',
    },
  },
  {
    operation: 'workflows.getActiveSnapshot',
    call: { method: 'GET', path: '/api/base/{baseId}/workflow/{workflowId}/active-snapshot' },
    actions: ['automation|read'],
    ids: ['baseId', 'workflowId'],
    wrong: {},
    success: {
      status: 200,
      contains: [
        ...['"id":"{workflowId}"', '"baseId":"{baseId}"', '"id":"{triggerId}"', '"edges":[]'],
        ...['"hasDraft":true', '"isActive":true', '"activeUser":{"id":"'],
      ],
      // It was added to the draft after the activation.
      lacks: ['{actionId}'],
    },
    effect: {
      method: 'GET',
      path: '/api/base/{baseId}/workflow/{otherWorkflowId}/active-snapshot',
      ...{ status: 404, code: 'not_found' },
    },
  },
  {
    operation: 'charts.getPanelChart',
    call: { method: 'GET', path: `${chart}?tableId={tableId}&cellFormat=json` },
    actions: ['table|read', 'record|read'],
    ids: ['tableId', 'panelInstallId', 'pluginPanelId'],
    wrong: {
      'no table': { path: chart, at: '"path":["tableId"]' },
      'a format that there is not': {
        path: `${chart}?tableId={tableId}&cellFormat=xml`,
        at: '"path":["cellFormat"]',
      },
    },
    success: {
      status: 200,
      contains: ['"rows":[{', '"columns":[{"name":"Name"', '"fieldSource":{'],
    },
    effect: { method: 'GET', path: panelPlugin, status: 200, contains: ['"storage":{"query":'] },
  },
  {
    operation: 'trash.resetTrash',
    about: 'table',
    call: { method: 'DELETE', path: resetOfTable },
    actions: ['table|trash_reset'],
    ids: ['tableId'],
    wrong: {
      'a kind that there is not': {
        path: '/api/trash/reset-items?resourceType=view&resourceId={tableId}',
        at: '"path":["resourceType"]',
      },
      'a page that is too long': {
        path: `${resetOfTable}&pageSize=21`,
        at: '"path":["pageSize"]',
      },
      'a cursor that it never gave': {
        path: `${resetOfTable}&cursor=x`,
        at: '"path":["cursor"]',
      },
    },
    success: { status: 200, contains: ['{"resetCount":1,"nextCursor":null}'] },
    effect: { method: 'GET', path: trash, status: 200, contains: ['"trashItems":[]'] },
  },
  {
    operation: 'trash.resetTrash',
    about: 'base',
    call: { method: 'DELETE', path: resetOfBase },
    actions: ['table|delete', 'automation|delete', 'base|update'],
    ids: ['baseId'],
    wrong: {
      'a page without entries': { path: `${resetOfBase}&pageSize=0`, at: '"path":["pageSize"]' },
      'a cursor that it never gave': { path: `${resetOfBase}&cursor=x`, at: '"path":["cursor"]' },
    },
    given: {
      ...{ method: 'DELETE', path: `${nodes}/{dashboardNodeId}`, status: 200 },
      events: ['node.deleted'],
    },
    success: { status: 200, contains: ['{"resetCount":1,"nextCursor":null}'] },
    effect: {
      ...{ method: 'GET', path: '/api/trash/items?resourceType=base&resourceId={baseId}' },
      ...{ status: 200, contains: ['"trashItems":[]'] },
    },
  },
  {
    operation: 'fields.createField',
    call: {
      ...{ method: 'POST', path: '/api/table/{tableId}/field' },
      body: { type: 'rating', name: 'Liked', dbFieldName: 'liked', options: { max: 3 } },
    },
    actions: ['field|create'],
    ids: ['tableId'],
    wrong: {
      'a type that there is not': { body: { type: 'barcode' }, at: '"path":["type"]' },
      'an empty name': { body: { type: 'number', name: '' }, at: '"path":["name"]' },
      'an id of another form': { body: { type: 'number', id: 'fld1' }, at: '"path":["id"]' },
    },
    success: {
      status: 201,
      contains: [
        ...['"id":"fld', '"name":"Liked"', '"type":"rating"', '"dbFieldName":"liked"'],
        ...['"cellValueType":"number"', '"dbFieldType":"REAL"', '"max":3'],
      ],
      events: ['field.created'],
    },
    effect: {
      ...{ method: 'GET', path: '/api/table/{tableId}/field', status: 200 },
      contains: ['"name":"Liked"'],
    },
  },
]

/** The scenarios of the operations that the interface had from its beginning, by their names. */
export const knownInterface: Readonly<Record<string, readonly Scenario[]>> = {
  'accounts.signUp': signUp,
  ...Object.fromEntries(
    [...Map.groupBy(inPlaces, ({ operation }) => operation)].map(([name, calls]) => [
      name,
      calls.flatMap(everyCaller),
    ]),
  ),
  'billing.listProducts': listProducts,
}

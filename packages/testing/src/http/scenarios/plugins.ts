import type { Scenario } from '../scenario.ts'

const menu = '/api/table/{tableId}/plugin-context-menu'
const entry = `${menu}/{menuInstallId}`
const logo = 'https://plugins.example.com/logo.png'
const maps = { name: 'Maps', logo, positions: ['contextMenu'] }
const shipped = { pluginId: 'plgcontextexample' }

const changes = [
  { method: 'POST', path: `${menu}/install`, body: shipped },
  { method: 'PATCH', path: `${entry}/rename`, body: { name: 'New' } },
  { method: 'PUT', path: `${entry}/move`, body: { anchorId: 'x', position: 'after' } },
  { method: 'PUT', path: `${entry}/update-storage`, body: {} },
  { method: 'DELETE', path: entry },
] as const

const reads = [
  { method: 'GET', path: menu },
  { method: 'GET', path: entry },
  { method: 'GET', path: `${entry}/storage` },
] as const

/** The operations on plugins, on the menus of records and on tokens of plugins, refusals first. */
export const pluginScenarios: readonly Scenario[] = [
  ...[...reads, ...changes].map(
    (call): Scenario => ({
      title: `[MENU-1] refuses ${call.method} ${call.path} to a stranger, as what is not there`,
      as: 'stranger',
      ...{ ...call, status: 404, code: 'not_found' },
    }),
  ),
  ...changes.map(
    (call): Scenario => ({
      title: `[MENU-1] refuses ${call.method} ${call.path} to an editor`,
      as: 'editor',
      ...{ ...call, status: 403, code: 'restricted_resource' },
    }),
  ),
  {
    title: '[PLUGIN-1] refuses to register a plugin to nobody',
    ...{ method: 'POST', path: '/api/plugin', body: maps, status: 401, code: 'unauthorized' },
  },
  {
    title: '[PLUGIN-8] refuses to publish a plugin to all but the administrator',
    as: 'stranger',
    method: 'PATCH',
    path: '/api/admin/plugin/plgchart/publish',
    ...{ status: 403, code: 'restricted_resource' },
  },
  {
    title: '[GRANT-4] refuses a code that is none, without credentials of its own',
    method: 'POST',
    path: '/api/plugin/plgNone/token',
    body: { baseId: 'bseNone', secret: 'x', scopes: ['record|read'], authCode: 'told once' },
    ...{ status: 400, code: 'invalid_credentials', lacks: ['told once'] },
  },
  {
    title: '[PLUGIN-3] answers 201 and the secret of a plugin, without its version in the body',
    as: 'owner',
    ...{ method: 'POST', path: '/api/plugin', body: maps, status: 201 },
    contains: ['"id":"plg', '"secret":"', '"status":"developing"'],
    lacks: ['********', '"version"'],
  },
  {
    title: '[PLUGIN-10] lists what may be installed, some of it alone',
    as: 'stranger',
    method: 'GET',
    path: '/api/plugin/center/list?positions[]=panel&ids[]=plgchart&ids[]=plgcontextexample',
    status: 200,
    contains: ['[{"id":"plgchart"'],
    lacks: ['plgcontextexample', 'secret'],
  },
  {
    title: '[MENU-2] answers 201 and where the plugin stands in the menu',
    as: 'owner',
    ...{ method: 'POST', path: `${menu}/install`, body: { ...shipped, name: 'Mine' } },
    status: 201,
    contains: ['"pluginInstallId":"pli', '"name":"Mine"', '"order":3'],
    events: ['plugin_install.created'],
  },
  {
    title: '[MENU-3] lists what is in the menu to a viewer',
    as: 'viewer',
    ...{ method: 'GET', path: menu, status: 200 },
    contains: [
      '[{"pluginInstallId":"{menuInstallId}"',
      '"pluginId":"plgcontextexample"',
      '"order":1',
    ],
    lacks: ['storage', 'version'],
  },
  {
    title: '[MENU-6] replaces what a plugin keeps in the menu',
    as: 'owner',
    ...{ method: 'PUT', path: `${entry}/update-storage`, body: { storage: { a: [1] } } },
    status: 200,
    contains: ['"storage":{"a":[1]}', '"tableId":"{tableId}"'],
    events: ['plugin_install.updated'],
  },
  {
    title: '[MENU-1] takes a plugin out of the menu',
    as: 'owner',
    ...{ method: 'DELETE', path: entry, status: 200 },
    events: ['plugin_install.deleted'],
  },
]

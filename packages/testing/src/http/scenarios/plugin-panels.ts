import type { Scenario } from '../scenario.ts'

const list = '/api/table/{tableId}/plugin-panel'
const one = `${list}/{pluginPanelId}`
const install = `${one}/plugin/{panelInstallId}`
const body = { name: 'At a glance' }

const reads = [
  { method: 'GET', path: list },
  { method: 'GET', path: one },
  { method: 'GET', path: install },
] as const

const changes = [
  { method: 'POST', path: list, body },
  { method: 'PATCH', path: `${one}/rename`, body },
  { method: 'PATCH', path: `${one}/layout`, body: { layout: [] } },
  { method: 'POST', path: `${one}/duplicate`, body },
  { method: 'DELETE', path: one },
  { method: 'POST', path: `${one}/install`, body: { pluginId: 'plgchart' } },
  { method: 'DELETE', path: install },
  { method: 'PATCH', path: `${install}/rename`, body },
  { method: 'PATCH', path: `${install}/update-storage`, body: { storage: {} } },
  { method: 'POST', path: `${install}/duplicate`, body },
] as const

/** The operations on plugin panels, refusals first. */
export const pluginPanelScenarios: readonly Scenario[] = [
  ...[...reads, ...changes].flatMap(({ method, path, ...more }): Scenario[] => [
    {
      title: `[HTTP-11] refuses ${method} ${path} to nobody`,
      ...{ method, path, ...more, status: 401, code: 'unauthorized' },
    },
    {
      title: `[PANEL-3] refuses ${method} ${path} to a stranger, as what is not there`,
      as: 'stranger',
      ...{ method, path, ...more, status: 404, code: 'not_found' },
    },
  ]),
  ...changes.flatMap(({ method, path, ...more }) =>
    (['editor', 'viewer'] as const).map(
      (as): Scenario => ({
        title: `[PANEL-3] refuses ${method} ${path} to the ${as}`,
        as,
        ...{ method, path, ...more, status: 403, code: 'restricted_resource' },
      }),
    ),
  ),
  {
    title: '[PANEL-2] answers what is no panel of the table',
    as: 'owner',
    method: 'GET',
    path: `${list}/plpNone`,
    status: 404,
    code: 'not_found',
  },
  {
    title: '[PANEL-1] creates a panel',
    as: 'owner',
    method: 'POST',
    path: list,
    body,
    status: 201,
    contains: ['"id":"plp', '"name":"At a glance"'],
    lacks: ['version'],
    events: ['plugin_panel.created'],
  },
  {
    title: '[BOARD-2] installs a plugin on a panel under its own name',
    as: 'owner',
    method: 'POST',
    path: `${one}/install`,
    body: { pluginId: 'plgchart' },
    status: 201,
    contains: ['"name":"Chart"', '"pluginInstallId":"pli'],
    events: ['plugin_panel.updated', 'plugin_install.created'],
  },
  {
    title: '[BOARD-10] renames a plugin on a panel, and answers the id of the install',
    as: 'owner',
    method: 'PATCH',
    path: `${install}/rename`,
    body,
    status: 200,
    contains: ['{"id":"{panelInstallId}","name":"At a glance"}'],
    events: ['plugin_panel.updated', 'plugin_install.updated'],
  },
]

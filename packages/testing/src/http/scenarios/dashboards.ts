import type { Scenario } from '../scenario.ts'

const list = '/api/base/{baseId}/dashboard'
const one = `${list}/{dashboardId}`
const body = { name: 'Loans by month' }

const install = `${one}/plugin/{dashboardInstallId}`
const chart = { name: 'Chart', pluginId: 'plgchart' }

const changes = [
  { method: 'POST', path: list, body },
  { method: 'PATCH', path: `${one}/rename`, body },
  { method: 'POST', path: `${one}/duplicate`, body },
  { method: 'DELETE', path: one },
  { method: 'PATCH', path: `${one}/layout`, body: { layout: [] } },
  { method: 'POST', path: `${one}/plugin`, body: chart },
  { method: 'DELETE', path: install },
  { method: 'PATCH', path: `${install}/rename`, body },
  { method: 'PATCH', path: `${install}/update-storage`, body: { storage: {} } },
  { method: 'POST', path: `${install}/duplicate`, body },
] as const

const reads = [
  { method: 'GET', path: list },
  { method: 'GET', path: one },
  { method: 'GET', path: install },
] as const

/** The operations on dashboards, refusals first. */
export const dashboardScenarios: readonly Scenario[] = [
  ...[...reads, ...changes].flatMap(({ method, path, ...more }): Scenario[] => [
    {
      title: `[HTTP-11] refuses ${method} ${path} to nobody`,
      ...{ method, path, ...more, status: 401, code: 'unauthorized' },
    },
    {
      title: `[DASHBOARD-5] refuses ${method} ${path} to a stranger, as what is not there`,
      as: 'stranger',
      ...{ method, path, ...more, status: 404, code: 'not_found' },
    },
  ]),
  ...changes.flatMap(({ method, path, ...more }) =>
    (['editor', 'viewer'] as const).map(
      (as): Scenario => ({
        title: `[DASHBOARD-5] refuses ${method} ${path} to the ${as}`,
        as,
        ...{ method, path, ...more, status: 403, code: 'restricted_resource' },
      }),
    ),
  ),
  {
    title: '[DASHBOARD-2] answers what is no dashboard of the base',
    as: 'owner',
    method: 'GET',
    path: `${list}/dshNone`,
    status: 404,
    code: 'not_found',
  },
  {
    title: '[DASHBOARD-3] refuses a name that is blank',
    as: 'owner',
    method: 'POST',
    path: list,
    body: { name: ' ' },
    status: 400,
    code: 'validation_error',
    contains: ['"path":["name"]'],
  },
  {
    title: '[DASHBOARD-1] creates a dashboard with its node',
    as: 'owner',
    method: 'POST',
    path: list,
    body,
    status: 201,
    contains: ['"id":"dsh', '"name":"Loans by month"'],
    lacks: ['version'],
    events: ['node.created'],
  },
  {
    title: '[DASHBOARD-4] lists dashboards',
    as: 'viewer',
    method: 'GET',
    path: list,
    status: 200,
    contains: ['[{"id":"{dashboardId}"'],
  },
  {
    title: '[DASHBOARD-1] renames a dashboard with its node',
    as: 'owner',
    method: 'PATCH',
    path: `${one}/rename`,
    body,
    status: 200,
    contains: ['"id":"{dashboardId}"', '"name":"Loans by month"'],
    events: ['node.updated'],
  },
  {
    title: '[DASHBOARD-6] moves a dashboard to the trash, and answers nothing',
    as: 'owner',
    method: 'DELETE',
    path: one,
    status: 200,
    lacks: ['{'],
    events: ['node.deleted'],
  },
  {
    title: '[BOARD-1] installs a plugin on a dashboard',
    as: 'owner',
    method: 'POST',
    path: `${one}/plugin`,
    body: chart,
    status: 201,
    contains: ['"id":"{dashboardId}"', '"pluginId":"plgchart"', '"pluginInstallId":"pli'],
    lacks: ['version'],
    events: ['dashboard.updated', 'plugin_install.created'],
  },
  {
    title: '[BOARD-1] answers a plugin that is not there',
    as: 'owner',
    method: 'POST',
    path: `${one}/plugin`,
    body: { ...chart, pluginId: 'plgNone' },
    status: 404,
    code: 'not_found',
  },
  {
    title: '[BOARD-9] refuses a layout that names what is not installed there',
    as: 'owner',
    method: 'PATCH',
    path: `${one}/layout`,
    body: { layout: [{ pluginInstallId: '{panelInstallId}', x: 0, y: 0, w: 1, h: 1 }] },
    status: 400,
    code: 'validation_error',
    contains: ['"path":["layout",0,"pluginInstallId"]'],
  },
  {
    title: '[BOARD-8] shows a dashboard with its layout and installs',
    as: 'viewer',
    method: 'GET',
    path: one,
    status: 200,
    contains: ['"layout":[{"pluginInstallId":"{dashboardInstallId}"', '"y":9007199254740991'],
  },
]

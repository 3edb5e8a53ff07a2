import type { Scenario } from '../scenario.ts'

const list = '/api/base/{baseId}/dashboard'
const one = `${list}/{dashboardId}`
const body = { name: 'Loans by month' }

const changes = [
  { method: 'POST', path: list, body },
  { method: 'PATCH', path: `${one}/rename`, body },
  { method: 'POST', path: `${one}/duplicate`, body },
  { method: 'DELETE', path: one },
] as const

const reads = [
  { method: 'GET', path: list },
  { method: 'GET', path: one },
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
]

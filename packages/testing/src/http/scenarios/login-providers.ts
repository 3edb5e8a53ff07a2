import type { Scenario } from '../scenario.ts'

const list = '/api/space/{spaceId}/authentication'
const one = `${list}/{authenticationId}`
const config = { appId: 'cli_a', appSecret: 'told once' }
const sent = { type: 'feishu', name: 'Feishu', config }

const calls = [
  { method: 'GET', path: list },
  { method: 'POST', path: list, body: sent },
  { method: 'GET', path: one },
  { method: 'PUT', path: one, body: sent },
  { method: 'DELETE', path: one },
] as const

/** The operations on login providers, refusals first. */
export const loginProviderScenarios: readonly Scenario[] = [
  ...calls.flatMap(({ method, path, ...more }): Scenario[] => [
    {
      title: `[HTTP-11] refuses ${method} ${path} to nobody`,
      ...{ method, path, ...more, status: 401, code: 'unauthorized' },
    },
    {
      title: `[HTTP-11] refuses ${method} ${path} to a token that is none`,
      headers: { Authorization: 'Bearer gateleg_accNone_none' },
      ...{ method, path, ...more, status: 401, code: 'unauthorized' },
    },
    {
      title: `[LOGIN-1] refuses ${method} ${path} to a stranger, as what is not there`,
      as: 'stranger',
      ...{ method, path, ...more, status: 404, code: 'not_found' },
    },
    ...(['editor', 'viewer'] as const).map(
      (as): Scenario => ({
        title: `[LOGIN-1] refuses ${method} ${path} to a member who is no owner: ${as}`,
        as,
        ...{ method, path, ...more, status: 403, code: 'restricted_resource' },
      }),
    ),
  ]),
  ...(['GET', 'PUT', 'DELETE'] as const).map(
    (method): Scenario => ({
      title: `[LOGIN-5] answers ${method} of a provider that is not there`,
      as: 'owner',
      method,
      path: `${list}/autNone`,
      ...(method === 'PUT' && { body: sent }),
      status: 404,
      code: 'not_found',
    }),
  ),
  {
    title: '[LOGIN-5] refuses a body with the id of another provider',
    as: 'owner',
    method: 'PUT',
    path: one,
    body: { ...sent, id: 'autOther' },
    status: 400,
    code: 'validation_error',
    contains: ['"path":["id"]'],
    lacks: ['told once'],
  },
  {
    title: '[LOGIN-2] refuses a config with more than the kind has',
    as: 'owner',
    method: 'PUT',
    path: one,
    body: { ...sent, config: { ...config, more: 1 } },
    status: 400,
    code: 'validation_error',
    lacks: ['told once'],
  },
  {
    title: '[LOGIN-1] replaces a provider, and answers nothing',
    as: 'owner',
    method: 'PUT',
    path: one,
    body: { ...sent, id: '{authenticationId}' },
    status: 200,
    lacks: ['told once', '{'],
    events: ['space.updated'],
  },
  {
    title: '[LOGIN-3] adds a provider, and shows the mask',
    as: 'owner',
    method: 'POST',
    path: list,
    body: sent,
    status: 201,
    contains: ['"appSecret":"********"', '"id":"aut'],
    lacks: ['told once'],
    events: ['space.updated'],
  },
  {
    title: '[LOGIN-3] lists providers with the mask',
    as: 'owner',
    method: 'GET',
    path: list,
    status: 200,
    contains: ['[{"id":"{authenticationId}"', '"appSecret":"********"'],
    lacks: ['version'],
  },
  {
    title: '[LOGIN-1] removes a provider',
    as: 'owner',
    method: 'DELETE',
    path: one,
    status: 200,
    events: ['space.updated'],
  },
]

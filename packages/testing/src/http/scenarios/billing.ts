import type { Scenario } from '../scenario.ts'

const usage = '/api/space/{spaceId}/usage'

/** The operations on products and levels, refusals first. */
export const billingScenarios: readonly Scenario[] = [
  ...[
    '/api/billing/all-products',
    '/api/billing/base-products',
    '/api/billing/add-on-products',
    '/api/billing/subscription/summary',
    usage,
    '/api/space/{spaceId}/billing/subscription/summary',
  ].flatMap((path): Scenario[] => [
    {
      title: `[HTTP-11] refuses GET ${path} to nobody`,
      method: 'GET',
      path,
      status: 401,
      code: 'unauthorized',
    },
    {
      title: `[HTTP-11] refuses GET ${path} to a token that is none`,
      method: 'GET',
      path,
      headers: { Authorization: 'Bearer gateleg_accNone_none' },
      status: 401,
      code: 'unauthorized',
    },
  ]),
  {
    title: '[BILL-5] refuses the usage of a space to a stranger',
    as: 'stranger',
    method: 'GET',
    path: usage,
    status: 404,
    code: 'not_found',
  },
  {
    title: '[BILL-5] refuses the usage of a space that is not there',
    as: 'owner',
    method: 'GET',
    path: '/api/space/spcNone/usage',
    status: 404,
    code: 'not_found',
  },
  ...(['owner', 'viewer', 'stranger'] as const).map(
    (as): Scenario => ({
      title: `[BILL-1] answers all products to a ${as}`,
      as,
      method: 'GET',
      path: '/api/billing/all-products',
      status: 200,
      contains: ['"baseProducts":[{', '"addOnProducts":[{', '"level":"free"', '"maxRows":'],
      lacks: ['"plans"'],
    }),
  ),
  {
    title: '[BILL-1] answers the base products by themselves',
    as: 'viewer',
    method: 'GET',
    path: '/api/billing/base-products',
    status: 200,
    contains: ['[{"id":"cloud-free","type":"base"'],
  },
  {
    title: '[BILL-1] answers the add-on products by themselves',
    as: 'viewer',
    method: 'GET',
    path: '/api/billing/add-on-products',
    status: 200,
    contains: ['"type":"rowCount"'],
    lacks: ['"level"'],
  },
  {
    title: '[BILL-5] answers the usage of a space to whoever may read it',
    as: 'viewer',
    method: 'GET',
    path: usage,
    status: 200,
    contains: ['"level":"enterprise"', '"maxRows":-1', '"usage":{"rows":'],
  },
  {
    title: '[BILL-13] answers the level of a space',
    as: 'viewer',
    method: 'GET',
    path: '/api/space/{spaceId}/billing/subscription/summary',
    status: 200,
    contains: ['{"spaceId":"{spaceId}","status":"active","level":"enterprise"}'],
  },
  {
    title: '[BILL-13] answers no levels of the spaces of others',
    as: 'stranger',
    method: 'GET',
    path: '/api/billing/subscription/summary',
    status: 200,
    lacks: ['{spaceId}'],
  },
]

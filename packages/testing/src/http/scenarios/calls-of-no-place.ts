import { testPassword } from '../../worlds/world.ts'
import type { Scenario } from '../scenario.ts'

const callers = ['owner', 'creator', 'editor', 'commenter', 'viewer', 'stranger'] as const
const products = '/api/billing/all-products'

/** That which everybody may call who is signed in. */
export const listProducts: readonly Scenario[] = [
  {
    title: '[HTTP-11] billing.listProducts refuses nobody',
    ...{ method: 'GET', path: products, status: 401, code: 'unauthorized' },
  },
  {
    title: '[HTTP-10] billing.listProducts refuses a token that is none',
    ...{ method: 'GET', path: products, status: 401, code: 'unauthorized' },
    headers: { Authorization: 'Bearer gateleg_accNone_none' },
  },
  ...(['tokenElsewhere', 'tokenWithoutScopes'] as const).map(
    (token): Scenario => ({
      title: `[BILL-1] billing.listProducts answers a token, whatever it is for: ${token}`,
      ...{ method: 'GET', path: products, status: 200, contains: ['"baseProducts":[{'] },
      headers: { Authorization: `Bearer {${token}}` },
    }),
  ),
  ...callers.map(
    (as): Scenario => ({
      title: `[BILL-1] billing.listProducts answers the ${as}`,
      ...{ as, method: 'GET', path: products, status: 200 },
      contains: ['{"baseProducts":[{"id":"', '"addOnProducts":[{"id":"', '"maxRows":'],
    }),
  ),
]

const signUpAs = (email: string, more: Partial<Scenario> = {}): Omit<Scenario, 'title'> => ({
  ...{ method: 'POST', path: '/api/auth/signup', status: 201 },
  body: { email, password: testPassword, defaultSpaceName: 'Plans' },
  contains: [`"email":"${email}"`, '"hasPassword":true', '"isAdmin":false'],
  lacks: [testPassword],
  events: ['space.created', 'user.signed_up'],
  effect: {
    ...{ method: 'POST', path: '/api/auth/signin', body: { email, password: testPassword } },
    ...{ status: 200, contains: [`"email":"${email}"`] },
  },
  ...more,
})

/** That which is for those whom nobody knows yet. */
export const signUp: readonly Scenario[] = [
  {
    title: '[ACCOUNT-1] accounts.signUp takes who sends no token',
    ...signUpAs('no-token@example.com'),
  },
  {
    title: '[HTTP-11] accounts.signUp ignores a token that is none',
    ...signUpAs('none@example.com', { headers: { Authorization: 'Bearer gateleg_accNone_none' } }),
  },
  ...callers.map(
    (as): Scenario => ({
      title: `[HTTP-11] accounts.signUp ignores who sends it: ${as}`,
      ...signUpAs(`by-${as}@example.com`, { as }),
    }),
  ),
  ...[
    ['no address', { password: testPassword }, 'email'],
    ['an address that is none', { email: 'ada', password: testPassword }, 'email'],
    ['no password', { email: 'a@example.com' }, 'password'],
    ['a password without a digit', { email: 'a@example.com', password: 'abcdefgh' }, 'password'],
    ['a short password', { email: 'a@example.com', password: 'abcdef1' }, 'password'],
  ].map(
    ([what, body, member]): Scenario => ({
      title: `[HTTP-20] accounts.signUp refuses ${what}, and says where`,
      ...{ method: 'POST', path: '/api/auth/signup', body, status: 400, code: 'validation_error' },
      contains: [`"path":["${member}"]`],
    }),
  ),
  {
    title: '[ACCOUNT-6] accounts.signUp refuses an address that is registered',
    ...{ method: 'POST', path: '/api/auth/signup', status: 409, code: 'conflict' },
    body: { email: 'OWNER@example.com', password: testPassword },
  },
]

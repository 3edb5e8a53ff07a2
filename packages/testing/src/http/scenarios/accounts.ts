import { testPassword } from '../../worlds/world.ts'
import type { Scenario } from '../scenario.ts'

const signUp = { method: 'POST', path: '/api/auth/signup' } as const
const signIn = { method: 'POST', path: '/api/auth/signin' } as const
const invalid = { status: 400, code: 'validation_error' } as const

/** The operations on accounts, refusals first. */
export const accountScenarios: readonly Scenario[] = [
  {
    title:
      '[HTTP-20] refuses an address that is none, and a password that is too weak, in one answer',
    ...signUp,
    ...invalid,
    body: { email: 'ada', password: '12345678' },
    contains: ['"path":["email"]', '"path":["password"]'],
    lacks: ['12345678'],
  },
  {
    title: '[HTTP-20] refuses an address that is registered',
    ...signUp,
    body: { email: 'OWNER@example.com', password: testPassword },
    status: 409,
    code: 'conflict',
    contains: ['is already registered'],
  },
  {
    title: '[HTTP-20] refuses a wrong password as it does a wrong address',
    ...signIn,
    body: { email: 'owner@example.com', password: 'wrong guess 1' },
    status: 400,
    code: 'invalid_credentials',
  },
  {
    title: '[HTTP-11] refuses to say who nobody is',
    method: 'GET',
    path: '/api/auth/user/me',
    status: 401,
    code: 'unauthorized',
  },
  {
    title: '[HTTP-11] refuses invitation codes to all but the administrator',
    as: 'stranger',
    method: 'POST',
    path: '/api/admin/invite-code',
    status: 403,
    code: 'restricted_resource',
  },
  {
    title: '[HTTP-20] refuses to delete an account without its password',
    as: 'owner',
    method: 'DELETE',
    path: '/api/auth/user',
    body: {},
    ...invalid,
    contains: ['"path":["password"]'],
  },
  {
    title:
      '[HTTP-15] answers 200 to who deletes their account, and ends the session of the browser',
    as: 'stranger',
    method: 'DELETE',
    path: '/api/auth/user',
    body: { password: testPassword },
    status: 200,
    events: ['space.deleted', 'user.deleted'],
  },
  {
    title: '[HTTP-15] answers 201 and the user who signed up',
    ...signUp,
    headers: { Authorization: 'Bearer anything' },
    body: { email: 'New@example.com', password: testPassword, isAdmin: true },
    status: 201,
    contains: ['"email":"new@example.com"', '"isAdmin":false', '"accessToken":"'],
    lacks: [testPassword, 'argon2'],
    events: ['space.created', 'user.signed_up'],
  },
  {
    title: '[HTTP-15] answers 200 and the user who signed in',
    ...signIn,
    body: { email: 'owner@example.com', password: testPassword },
    status: 200,
    contains: ['"accessToken":"'],
    lacks: ['argon2'],
  },
  {
    title: '[HTTP-15] answers who I am',
    as: 'viewer',
    method: 'GET',
    path: '/api/auth/user/me',
    status: 200,
    contains: ['"email":"viewer@example.com"'],
    lacks: ['argon2', 'accessToken'],
  },
  {
    title: '[HTTP-15] answers 201 and the secret of an access token',
    as: 'owner',
    method: 'POST',
    path: '/api/access-token',
    body: { name: 'Reports', scopes: ['table|read'], expiredTime: '2026-06-01' },
    status: 201,
    contains: ['"name":"Reports"', '"token":"'],
  },
]

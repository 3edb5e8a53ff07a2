import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebOpenIdClient } from './web-open-id-client.ts'

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

const question = {
  ...{ redirectUri: 'https://gateleg.example/api/auth/oidc/aut1/callback', state: 'the state' },
  ...{ nonce: 'the nonce', verifier: 'v'.repeat(64) },
}

type Json = Record<string, unknown>
type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token as an issuer signs it, or as nobody does. */
function toToken(claims: Json, header: Json = { alg: 'RS256', kid: 'k' }, key = keys.privateKey) {
  const said = `${encode(header)}.${encode(claims)}`
  const isSigned = header.alg === 'RS256'
  return `${said}.${isSigned ? sign('sha256', Buffer.from(said), key).toString('base64url') : ''}`
}

let server: Server
let issuer: string
/** What is answered at each path; a test replaces what it is about. */
let answers: Record<string, Answer>
let asked: { path: string; body: string; authorization: string | undefined }[]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const path = request.url ?? ''
    asked.push({ path, body, authorization: request.headers.authorization })
    answers[path]?.(request, response, body)
  }).listen(0, '127.0.0.2')
  await once(server, 'listening')
  issuer = `http://127.0.0.2:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const json =
  (value: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
  }

const nowSeconds = () => Math.floor(Date.now() / 1_000)
const claimsOf = (more: Json = {}) => ({
  ...{ iss: issuer, aud: 'library', sub: 'ada', nonce: question.nonce },
  ...{ iat: nowSeconds(), exp: nowSeconds() + 60, ...more },
})
const tokensOf = (idToken: string | undefined) =>
  json({ access_token: 'a token', token_type: 'Bearer', id_token: idToken })
const discovery = (more: Json = {}) =>
  json({
    ...{ issuer, jwks_uri: `${issuer}/jwks`, authorization_endpoint: `${issuer}/other` },
    ...{ token_endpoint: `${issuer}/other`, userinfo_endpoint: `${issuer}/other`, ...more },
  })

beforeEach(() => {
  asked = []
  const key = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }
  answers = {
    '/.well-known/openid-configuration': discovery(),
    '/jwks': json({ keys: [key] }),
    '/token': tokensOf(toToken(claimsOf())),
    '/userinfo': json({ sub: 'ada', email: 'a@b.example', email_verified: true, name: 'Ada' }),
  }
})

const connection = (more: object = {}) => ({
  ...{ clientId: 'library', clientSecret: 's?cret', issuer, caller: 'usrAda' },
  ...{ authorizationUrl: 'https://login.example/authorize?tenant=1', tokenUrl: `${issuer}/token` },
  ...{ userInfoUrl: `${issuer}/userinfo`, ...more },
})
const client = (more: object = {}) => new WebOpenIdClient({ allow: ['127.0.0.2'], ...more })
const identify = (by = client(), more: object = {}) =>
  by.identify(connection(more), question, { code: 'the code' })
const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no refusal',
    (error: unknown) =>
      error instanceof DomainError && error.code === 'failed_dependency' ? error.message : error,
  )
const untrusted = expect.stringMatching(/^The login provider answered what proves nothing/)
const silent = expect.stringMatching(/^The login provider could not be reached/)

test('[OPENID-1] a browser is sent to the provider with a challenge, and nobody is asked', async () => {
  const url = new URL(await client().authorizationUrl(connection(), question))
  expect(url.origin + url.pathname).toBe('https://login.example/authorize')
  const challenge = createHash('sha256').update(question.verifier).digest('base64url')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    ...{ tenant: '1', client_id: 'library', response_type: 'code', scope: 'openid email profile' },
    ...{ redirect_uri: question.redirectUri, state: question.state, nonce: question.nonce },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  expect(asked).toEqual([])
})

test('[OPENID-2] the code is traded with the secret and the verifier, where the owner said', async () => {
  const told = { subject: 'ada', email: 'a@b.example', isEmailVerified: true, name: 'Ada' }
  expect(await identify()).toEqual({ ...told, isFromIssuer: false })
  expect(asked.map(({ path }) => path).toSorted()).toEqual([
    ...['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo'],
  ])
  const { body, authorization } = asked.find(({ path }) => path === '/token') ?? { body: '' }
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    ...{ grant_type: 'authorization_code', code: 'the code' },
    ...{ redirect_uri: question.redirectUri, code_verifier: question.verifier },
  })
  const basic = Buffer.from('library:s%3Fcret').toString('base64')
  expect(authorization).toBe(`Basic ${basic}`)
  const ways = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  answers['/.well-known/openid-configuration'] = discovery(ways)
  await identify()
  const posted = asked.findLast(({ path }) => path === '/token')
  expect(new URLSearchParams(posted?.body).get('client_secret')).toBe('s?cret')
})

test('[OPENID-3] what is not signed by the issuer, for us, for this question and in time is refused', async () => {
  const hour = 3_600
  const wrong: Record<string, string | undefined> = {
    none: undefined,
    unsigned: toToken(claimsOf(), { alg: 'none' }),
    'by a shared secret': toToken(claimsOf(), { alg: 'HS256' }),
    'by another key': toToken(claimsOf(), undefined, otherKeys.privateKey),
    'by an unknown key': toToken(claimsOf(), { alg: 'RS256', kid: 'x' }, otherKeys.privateKey),
    'changed after it was signed': toToken(claimsOf()).replace(
      /\.(.+)\./,
      `.${encode(claimsOf({ sub: 'eve' }))}.`,
    ),
    'of another issuer': toToken(claimsOf({ iss: 'https://login.example' })),
    'for another client': toToken(claimsOf({ aud: 'others' })),
    'for several, by another': toToken(claimsOf({ aud: ['library', 'x'], azp: 'x' })),
    'for another question': toToken(claimsOf({ nonce: 'another' })),
    'for no question': toToken(claimsOf({ nonce: undefined })),
    'out of date': toToken(claimsOf({ exp: nowSeconds() - hour, iat: nowSeconds() - 2 * hour })),
    'without an end': toToken(claimsOf({ exp: undefined })),
    'of nobody': toToken(claimsOf({ sub: undefined })),
    'no token': 'x',
  }
  for (const [what, token] of Object.entries(wrong)) {
    answers['/token'] = tokensOf(token)
    expect([what, await messageOf(identify())]).toEqual([what, untrusted])
  }
})

test('[OPENID-4] an issuer says itself who it is, and who is meant is said by the ID token', async () => {
  answers['/userinfo'] = json({ sub: 'eve', email: 'e@b.example', email_verified: true })
  expect(await messageOf(identify())).toEqual(untrusted)
  answers['/userinfo'] = json({ sub: 'ada' })
  answers['/.well-known/openid-configuration'] = discovery({ issuer: 'https://login.example' })
  expect(await messageOf(identify())).toEqual(untrusted)
  const path = '/.well-known/openid-configuration'
  answers[path] = discovery({ issuer: 'https://login.example' })
  expect(await messageOf(identify(client(), { issuer: issuer + path }))).toEqual(untrusted)
  answers[path] = discovery({ authorization_response_iss_parameter_supported: true })
  expect(await messageOf(identify())).toEqual(untrusted)
  const returned = (iss: string) =>
    client().identify(connection(), question, { code: 'the code', iss })
  expect(await messageOf(returned('https://login.example'))).toEqual(untrusted)
  expect(await returned(issuer)).toMatchObject({ subject: 'ada' })
})

test('[OPENID-5] an address is verified by who told it', async () => {
  const told = (signed: Json, info: Json) => {
    answers['/token'] = tokensOf(toToken(claimsOf(signed)))
    answers['/userinfo'] = json({ sub: 'ada', ...info })
    return identify()
  }
  const email = 'a@b.example'
  for (const [signed, info, expected] of [
    [{ email }, { email: 'x@b.example', email_verified: true }, false],
    [{ email, email_verified: true }, { email: 'x@b.example' }, true],
    [{ email_verified: true }, { email }, false],
    [{}, { email, email_verified: 'true' }, false],
    [{}, { email, email_verified: true }, true],
  ] as const) {
    expect(await told(signed, info)).toMatchObject({ email, isEmailVerified: expected })
  }
  expect(await told({}, { email: 1, name: ['x'] })).toMatchObject({
    email: undefined,
    name: undefined,
  })
})

test('[OPENID-10] what is asked elsewhere than the issuer publishes is not said by the issuer', async () => {
  const set = connection()
  const published = {
    ...{ authorization_endpoint: set.authorizationUrl, token_endpoint: set.tokenUrl },
    ...{ userinfo_endpoint: set.userInfoUrl },
  }
  const isFromIssuer = async (more: Json = {}) => {
    answers['/.well-known/openid-configuration'] = discovery({ ...published, ...more })
    return (await identify()).isFromIssuer
  }
  expect(await isFromIssuer()).toBe(true)
  for (const name of Object.keys(published)) {
    expect([name, await isFromIssuer({ [name]: `${issuer}/other` })]).toEqual([name, false])
  }
})

test('[OPENID-6] providers are asked at open addresses alone, and no redirect is followed', async () => {
  expect(await messageOf(identify(new WebOpenIdClient()))).toEqual(silent)
  const resolve = async () => ['127.0.0.1']
  const named = issuer.replace('127.0.0.2', 'login.example')
  expect(await messageOf(identify(client({ resolve }), { issuer: named }))).toEqual(silent)
  expect(asked).toEqual([])
  for (const path of ['/.well-known/openid-configuration', '/jwks', '/token', '/userinfo']) {
    const before = answers[path] as Answer
    answers[path] = (_request, response) => {
      response.writeHead(307, { Location: '/trap' }).end()
    }
    expect([path, await messageOf(identify())]).toEqual([path, untrusted])
    answers[path] = before
  }
  expect(asked.map(({ path }) => path)).not.toContain('/trap')
  const trap = issuer.replace('127.0.0.2', '127.0.0.1')
  answers['/.well-known/openid-configuration'] = discovery({ jwks_uri: `${trap}/jwks` })
  expect(await messageOf(identify())).toEqual(silent)
})

test('[OPENID-7] a provider that is slow or endless is given up', async () => {
  const drip: Answer = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(timer))
  }
  const path = '/.well-known/openid-configuration'
  const slow = client({ totalMs: 150 })
  for (const answer of [drip, (() => {}) as Answer]) {
    answers[path] = answer
    expect(await messageOf(identify(slow))).toEqual(silent)
  }
  answers[path] = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(`"${'x'.repeat(limits.openIdAnswerBytes)}"`)
  }
  expect(await messageOf(identify())).toEqual(silent)
})

test('[FETCH-13] a provider that only announces its answer, or sends it byte by byte, is given up at once', async () => {
  const path = '/.well-known/openid-configuration'
  answers[path] = (_request, response) => {
    for (let times = 0; times <= limits.fetchAnnouncements; times++) response.writeProcessing()
  }
  const patient = client({ totalMs: 60_000 })
  expect(await messageOf(identify(patient))).toEqual(silent)
  answers[path] = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    for (let times = 0; times < 1_000; times++) response.write(' ')
  }
  expect(await messageOf(identify(patient))).toEqual(silent)
})

test('[OPENID-8] who comes while many sign in waits for their turn, or was not asked', async () => {
  const pending: ServerResponse[] = []
  const path = '/.well-known/openid-configuration'
  answers[path] = (_request, response) => void pending.push(response)
  const crowd = client({ totalMs: 5_000 })
  const waiting = Array.from({ length: limits.openIdPerOwner }, () => messageOf(identify(crowd)))
  await expect.poll(() => pending.length).toBe(limits.openIdPerOwner)
  answers[path] = discovery()
  // Whose provider is another one's doesn't wait.
  expect(await identify(crowd, { caller: 'usrOther' })).toMatchObject({ subject: 'ada' })
  const more = Array.from({ length: 8 }, () => identify(crowd))
  for (const response of pending) response.destroy()
  for (const message of await Promise.all(waiting)) expect(message).toEqual(silent)
  for (const told of await Promise.all(more)) expect(told).toMatchObject({ subject: 'ada' })
  const late = client({ totalMs: 400 })
  await withLimits({ openIdPerOwner: 1 }, async () => {
    // The first one's provider is silent for 250 ms, and so is that of the second one, who has waited as long.
    answers[path] = (...asking) => void setTimeout(() => discovery()(...asking), 250)
    const told = await Promise.all([identify(late), identify(late)])
    expect(told).toMatchObject([{ subject: 'ada' }, { subject: 'ada' }])
  })
  asked = []
  await withLimits({ openIdAtOnce: 0 }, async () => {
    const impatient = identify(client({ totalMs: 100 }))
    await expect(impatient).rejects.toMatchObject({ code: 'service_busy' })
  })
  expect(asked).toEqual([])
})

test('[OPENID-9] the cause has what a provider names, and nothing of tokens and of what it was sent', async () => {
  const causeOf = async (answer: Answer) => {
    answers['/token'] = answer
    const error = await identify().catch((reason: unknown) => reason)
    return inspect((error as { readonly cause: unknown }).cause, { depth: 9 })
  }
  const refusing = (error_description: string): Answer =>
    json({ error: 'invalid_grant', error_description, token: 'a token' }, 400)
  const told = await causeOf(refusing('Not the place that was asked for'))
  expect(told).toContain('invalid_grant, Not the place that was asked for')
  expect(told).not.toContain('a token')
  const { clientSecret } = connection()
  const { authorization = '' } = asked.find(({ path }) => path === '/token') ?? {}
  const header = authorization.replace('Basic ', '')
  expect(header).not.toBe('')
  for (const sent of ['the code', clientSecret, question.verifier, header, 'the+code']) {
    const repeated = await causeOf(refusing(`Nothing is known of ${sent} here`))
    expect(repeated).toContain('it repeats what it was sent')
    expect(repeated).not.toContain(sent)
  }
  expect((await causeOf(refusing('x'.repeat(10_000)))).length).toBeLessThan(5_000)
  for (const answer of [
    tokensOf(toToken(claimsOf({ aud: 'another' }))),
    tokensOf(undefined),
    tokensOf('none'),
    json({ access_token: 'a token', id_token: 'none', token_type: 5 }),
    ((_request, response) => {
      const body = '{"access_token":"a token'
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
    }) satisfies Answer,
  ]) {
    const failed = await causeOf(answer)
    expect(failed).toContain('Error')
    expect(failed).not.toContain('a token')
  }
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { provingCode } from '@gateleg/testing/operations/oauth-grants'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import * as openId from 'openid-client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepScreenshot, seriousFaults, startBrowser } from '../../../../test/browser.ts'

const page = { Accept: 'text/html' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const place = 'https://room.example.com/back'
const { verifier, challenge } = provingCode

describeOnEveryStorage('OAuth apps over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let bob: Person
  let cookie: Readonly<Record<string, string>>
  let clientId: string
  let secret: string
  let people = 0

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    await world.newPerson('Root')
    ada = await world.newPerson('Ada')
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    bob = await world.newPerson(`Bob${++people}`)
    cookie = { Cookie: `gateleg_session=${bob.accessToken}` }
    ;({ clientId } = await ada.api.oauthClients.createClient({
      ...{ name: 'Reading <room>', homepage: 'https://room.example.com' },
      ...{ redirectUris: [place, 'http://127.0.0.1/back'], scopes: ['base|read', 'base|create'] },
    }))
    ;({ secret } = await ada.api.oauthClients.createSecret({ clientId }))
  })

  /** Sends as browsers do, for whom answers are not those that programs get. */
  const visit = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${world.url}${path}`, { redirect: 'manual', ...init })
    const { status, headers } = answer
    return { status, headers, text: await answer.text() }
  }
  const authorize = (
    headers: Readonly<Record<string, string>>,
    sent: Readonly<Record<string, string>> = {},
  ) => {
    const asked = { response_type: 'code', client_id: clientId, redirect_uri: place, ...sent }
    const path = `/api/oauth/authorize?${new URLSearchParams(asked)}`
    return visit(path, { headers: { ...page, ...headers } })
  }
  const ask = async () => {
    const { headers } = await authorize(cookie, { state: 'a&b' })
    return `/api/oauth/${headers.get('Location')}`
  }
  const answer = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    visit(path, {
      method: 'POST',
      headers: { ...page, ...form, ...cookie, Origin: world.url, ...headers },
      body,
    })
  const newCode = async () => {
    const { headers } = await answer(await ask(), 'allow=true')
    return new URL(headers.get('Location') ?? '').searchParams.get('code') ?? ''
  }
  const trade = (sent: Readonly<Record<string, string>>, headers: object = {}) =>
    world.send({
      method: 'POST',
      path: '/api/oauth/access_token',
      headers: { ...form, ...headers },
      body: `${new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: place, ...sent })}`,
    })
  const basic = (id: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
  })

  test('[HTTP-220] lead browsers to places that are written with other letters, as headers can have them', async () => {
    const places = ['https://room.example.com/漢?é=1', 'https://例え.jp/back']
    const { clientId: client_id } = await ada.api.oauthClients.createClient({
      ...{ name: 'Letters', homepage: 'https://room.example.com', redirectUris: places },
      scopes: ['base|read'],
    })
    for (const redirect_uri of places) {
      const sent = { client_id, redirect_uri, response_type: 'token', state: 's' }
      const { status, headers } = await authorize(cookie, sent)
      const location = new URL(headers.get('Location') ?? '')
      const expected = new URL(redirect_uri)
      expect([status, location.host, location.pathname]).toEqual([
        ...[302, expected.host, expected.pathname],
      ])
      expect(location.searchParams.get('error')).toBe('unsupported_response_type')
      expect(headers.get('Location')).toMatch(/^[\x21-\x7e]+$/)
    }
  })

  test('[HTTP-220] lead browsers to their question, and to sign in before', async () => {
    const stranger = await authorize({})
    expect(stranger.status).toBe(302)
    const [up, back = ''] = stranger.headers.get('Location')?.split('#sign-in=') ?? []
    expect(up).toBe('../../')
    expect(decodeURIComponent(back)).toMatch(/^api\/oauth\/authorize\?response_type=code&/)
    const program = await authorize({ Accept: 'application/json' })
    expect([program.status, JSON.parse(program.text).code]).toEqual([401, 'unauthorized'])
    const path = await ask()
    expect(path).toMatch(/^\/api\/oauth\/decision\/oauth\./)
    const late = await visit(path, { headers: page })
    expect([late.status, late.headers.get('Location')]).toMatchObject([
      302,
      expect.stringMatching(/^\.\.\/\.\.\/\.\.\/#sign-in=api%2Foauth%2Fdecision%2F/),
    ])
    await newCode()
    const again = await authorize(cookie, { state: 'x' })
    expect(again.headers.get('Location')).toMatch(
      /^https:\/\/room\.example\.com\/back\?code=\w+&state=x$/,
    )
  })

  test('[HTTP-221] ask on a page that runs and loads nothing', async () => {
    const path = await ask()
    const shown = await visit(path, { headers: { ...page, ...cookie } })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('Let Reading &#60;room&#62; act for you?')
    expect(shown.text).toContain('base: read, create')
    expect(shown.text).toContain(bob.email)
    expect(shown.text).not.toMatch(/<(script|img|link|style)/)
    const policy = shown.headers.get('Content-Security-Policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https://room.example.com")
    expect(shown.headers.get('X-Frame-Options')).toBe('DENY')
    const told = await world.send({ method: 'GET', path, headers: cookie })
    expect(told.json()).toMatchObject({ name: 'Reading <room>', redirectUri: place })
  })

  test('[HTTP-222] send who answers back to the app, unless another site asks for it', async () => {
    const path = await ask()
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const forged = await answer(path, 'allow=true', headers)
      expect(forged.status).toBe(403)
    }
    expect(await bob.api.oauthGrants.listAuthorizedClients({})).toEqual([])
    const refused = await answer(path, 'allow=false')
    expect([refused.status, refused.headers.get('Location')]).toEqual([
      303,
      `${place}?error=access_denied&state=a%26b`,
    ])
    const late = await answer(path, 'allow=true')
    expect([late.status, late.headers.get('Location')]).toEqual([404, null])
    world.clock.advance(1)
    const next = await ask()
    const allowed = await answer(next, 'allow=true')
    expect(allowed.headers.get('Location')).toMatch(/\?code=gateleg_oag\w+&state=a%26b$/)
    const body = { allow: false }
    const program = await world.send({ method: 'POST', path: next, headers: cookie, body })
    expect([program.status, program.json()]).toMatchObject([200, { url: expect.any(String) }])
  })

  test('[HTTP-223] tell people on a page what is wrong, and send them nowhere', async () => {
    for (const sent of [{ redirect_uri: 'https://evil.example' }, { client_id: 'oacNone' }]) {
      const wrong = await authorize(cookie, sent)
      expect(wrong.headers.get('Location')).toBeNull()
      expect(wrong.headers.get('Content-Type')).toContain('text/html')
      expect(wrong.text).toContain('The app is not let in')
      expect(wrong.status).toBe('client_id' in sent ? 404 : 400)
    }
    const ended = await answer(await ask(), 'allow=true', { Cookie: 'gateleg_session=none' })
    expect([ended.status, ended.text]).toMatchObject([401, expect.stringContaining('<h1>')])
    const program = await authorize({ ...cookie, Accept: '*/*' }, { client_id: 'oacNone' })
    expect(JSON.parse(program.text)).toMatchObject({ code: 'not_found' })
  })

  test('[HTTP-223] tell the app at its place what else is wrong, even what comes twice', async () => {
    const at = `client_id=${clientId}&redirect_uri=${encodeURIComponent(place)}&state=s`
    const twice = `response_type=code&scope=base%7Cread&scope=base%7Cread`
    for (const query of [at, `${at}&${twice}`, `${at}&${'x'.repeat(1_001)}&response_type=`]) {
      const { status, headers } = await visit(`/api/oauth/authorize?${query}`, {
        headers: { ...page, ...cookie },
      })
      expect(status).toBe(302)
      const told = new URL(headers.get('Location') ?? '').searchParams
      expect([told.get('error'), told.get('state')]).toEqual(['invalid_request', 's'])
    }
  })

  test('[HTTP-224] trade what they got as a form or as JSON, with their secret in one place', async () => {
    const inBody = await trade({
      code: await newCode(),
      client_id: clientId,
      client_secret: secret,
    })
    expect([inBody.status, inBody.json()]).toMatchObject([200, { token_type: 'Bearer' }])
    const next = async () => {
      const { headers } = await authorize(cookie)
      return new URL(headers.get('Location') ?? '').searchParams.get('code') ?? ''
    }
    const inHeader = await trade({ code: await next() }, basic(clientId, secret))
    expect(inHeader.status).toBe(200)
    const code = await next()
    const sent = { grant_type: 'authorization_code', redirect_uri: place, code }
    for (const [body, headers] of [
      [{ code, client_secret: secret }, basic(clientId, secret)],
      [{ code, client_id: 'oacNone' }, basic(clientId, secret)],
      [{ code }, { Authorization: 'Basic !' }],
      [{ code }, basic('%', secret)],
    ] as const) {
      const refused = (await trade(body, headers)).json()
      expect(refused).toMatchObject({ error: 'invalid_request', code: 'validation_error' })
    }
    const json = await world.send({
      ...{ method: 'POST', path: '/api/oauth/access_token' },
      body: { ...sent, client_id: clientId, client_secret: secret },
    })
    expect(json.status).toBe(200)
  })

  test('[HTTP-225] are told in the words of OAuth what is wrong', async () => {
    const wrong = await trade({ code: 'none' }, basic(clientId, 'wrong'))
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="Gateleg"',
    ])
    expect(wrong.json()).toMatchObject({ code: 'unauthorized', error: 'invalid_client' })
    const unknown = await trade({ code: 'none' }, basic(clientId, secret))
    const { message } = unknown.json() as { readonly message: string }
    expect(unknown.json()).toMatchObject({ error: 'invalid_grant', error_description: message })
    const grant = await trade({ grant_type: 'password' }, basic(clientId, secret))
    expect(grant.json()).toMatchObject({ status: 400, error: 'unsupported_grant_type' })
    const none = await trade({ code: 'ä"', client_id: '' })
    const { error, error_description } = none.json() as Record<string, string>
    expect([error, error_description]).toEqual([
      'invalid_request',
      expect.stringMatching(/^[ !#-[\]-~]+$/),
    ])
  })

  test('[HTTP-376] find what is told in the words of OAuth described', async () => {
    const described = await world.send({ method: 'GET', path: '/openapi.json' })
    const { paths, components } = described.json() as {
      readonly paths: Record<string, { post: { responses: Record<string, object> } }>
      readonly components: { readonly schemas: Record<string, { readonly properties: object }> }
    }
    for (const [path, answer] of [
      ['/oauth/access_token', await trade({ code: 'none' }, basic(clientId, 'wrong'))],
      ['/oauth/access_token', await trade({ grant_type: 'password' }, basic(clientId, secret))],
      ['/oauth/revoke', await world.send({ method: 'POST', path: '/api/oauth/revoke', body: {} })],
    ] as const) {
      const response = paths[path]?.post.responses[answer.status]
      expect(response).toMatchObject({
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } },
        },
      })
      const known = Object.keys(components.schemas.OAuthError?.properties ?? {})
      expect(known).toEqual(expect.arrayContaining(Object.keys(answer.json() as object)))
    }
  })

  test('[HTTP-224] serve a client of OAuth as it is: codes, new tokens, and their end', async () => {
    const at = (name: string) => `${world.url}/api/oauth/${name}`
    const server = {
      ...{ issuer: world.url, authorization_endpoint: at('authorize') },
      ...{ token_endpoint: at('access_token'), revocation_endpoint: at('revoke') },
    }
    const isGood = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const { status } = await world.send({ method: 'GET', path: '/api/auth/user', headers })
      return status === 200
    }
    for (const proof of [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)]) {
      const app = new openId.Configuration(server, clientId, undefined, proof)
      openId.allowInsecureRequests(app)
      const pkceCodeVerifier = openId.randomPKCECodeVerifier()
      const asked = openId.buildAuthorizationUrl(app, {
        ...{ redirect_uri: place, scope: 'base|read', state: 's' },
        code_challenge: await openId.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
      const opened = await fetch(asked, { headers: { ...page, ...cookie }, redirect: 'manual' })
      const to = new URL(opened.headers.get('Location') ?? '', asked)
      const answered = to.href.startsWith(place)
        ? to.href
        : (await answer(to.pathname, 'allow=true')).headers.get('Location')
      const checks = { pkceCodeVerifier, expectedState: 's' }
      const first = await openId.authorizationCodeGrant(app, new URL(answered ?? ''), checks)
      expect([first.scope, await isGood(first.access_token)]).toEqual(['base|read', true])
      const second = await openId.refreshTokenGrant(app, first.refresh_token ?? '')
      expect(await isGood(first.access_token)).toBe(false)
      expect(await isGood(second.access_token)).toBe(true)
      await openId.tokenRevocation(app, second.refresh_token ?? '')
      expect(await isGood(second.access_token)).toBe(false)
      const late = openId.refreshTokenGrant(app, second.refresh_token ?? '')
      await expect(late).rejects.toMatchObject({ error: 'invalid_grant' })
    }
  })
})

describeOnEveryStorage('OAuth apps in a browser', (storage) => {
  test('[HTTP-220] [HTTP-222] are let in by who signs in and presses a button', async () => {
    await using world = await openBrowserWorld(storage)
    const { clientId } = await world.ada.api.oauthClients.createClient({
      ...{ name: 'Reader', homepage: 'https://room.example.com' },
      ...{ redirectUris: ['http://127.0.0.1/back'], scopes: ['base|read'] },
    })
    const redirect_uri = `${world.appUrl}/back`
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri, state: 's' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    })
    const { tab } = world
    await tab.goto(`${world.url}/api/oauth/authorize?${asked}`)
    await tab.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await seriousFaults(tab)).toEqual([])
    await keepScreenshot(tab, `sign-in-${storage.name}`)
    await tab.locator('#sign-in-email').fill(world.ada.email)
    await tab.locator('#sign-in-password').fill(testPassword)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await seriousFaults(tab)).toEqual([])
    await keepScreenshot(tab, `consent-${storage.name}`)
    await tab.getByRole('button', { name: 'Allow' }).click()
    await tab.waitForURL(`${world.appUrl}/**`)
    const back = new URL(tab.url()).searchParams
    expect(back.get('state')).toBe('s')
    const tokens = await world.engine.public.oauthGrants.createTokens({
      ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri },
      ...{ code: back.get('code') ?? '', code_verifier: verifier },
    })
    expect(tokens.scope).toBe('base|read')
  })
})

async function openBrowserWorld(storage: Parameters<typeof openHttpWorld>[0]) {
  const world = await openHttpWorld(storage)
  const ada = await world.newPerson('Ada')
  const app = createServer((_request, response) => response.end('Back')).listen(0, '127.0.0.1')
  await once(app, 'listening')
  const appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const { browser, close } = await startBrowser()
  const tab: Page = await browser.newPage()
  return {
    ...{ engine: world.engine, url: world.url, ada, tab, appUrl },
    [Symbol.asyncDispose]: async () => {
      await close()
      app.closeAllConnections()
      app.close()
      await world.close()
    },
  }
}

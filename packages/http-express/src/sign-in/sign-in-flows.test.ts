import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSignUp } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { DomainError } from '@gateleg/domain/errors'
import { defaultSettings, type TrustedLoginClient } from '@gateleg/domain/settings'
import { WebOpenIdClient } from '@gateleg/engine/platform/open-id/web-open-id-client'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepScreenshot, seriousFaults, startBrowser } from '../../../../test/browser.ts'

/** What it takes to reach the provider. */
type Config = Readonly<
  Record<
    'clientId' | 'clientSecret' | 'issuer' | 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl',
    string
  >
>

/** Somebody at the provider. */
interface TestAccount {
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

/**
 * A real provider of OpenID Connect on this machine, for tests, where whoever comes is signed in at once as the account that `next` names.
 */
async function openTestProvider(redirectUrisOf: (config: Config) => Promise<string[]>) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, TestAccount>()
  const state = { next: '' }
  const config: Config = {
    ...{ clientId: 'library', clientSecret: 'a secret of the client', issuer },
    ...{ authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` },
    userInfoUrl: `${issuer}/me`,
  }
  const client = { client_id: config.clientId, client_secret: config.clientSecret }
  const redirect_uris = await redirectUrisOf(config)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of cookies'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
  })
  const serve = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void serve(request, response)
    const finish = async () => {
      const { params } = await provider.interactionDetails(request, response)
      const accountId = state.next
      const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
      grant.addOIDCScope('openid email profile')
      const consent = { grantId: await grant.save() }
      await provider.interactionFinished(request, response, { login: { accountId }, consent })
    }
    finish().catch((error) => response.destroy(error))
  })
  return {
    issuer,
    accounts,
    state,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A site of somebody else with a link, for tests: its name is `localhost`, where ours is an address. */
async function openOtherSite(link: string) {
  const page = `<!doctype html><title>Presents</title><a href="${link}">A present</a>`
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A browser, as far as it follows redirects and keeps cookies. */
class Browser {
  /** Cookies by host. */
  readonly jar = new Map<string, Map<string, string>>()
  /** All `Set-Cookie` headers that came. */
  readonly told: string[] = []

  async get(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const cookies = this.jar.get(host) ?? new Map<string, string>()
    this.jar.set(host, cookies)
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as object), ...(Cookie && { Cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      this.told.push(line)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** Goes on until the URL meets the pattern, or nothing leads on; answers that URL. */
  async follow(url: string, until: RegExp): Promise<string> {
    let at = url
    for (let hops = 0; hops < 10 && !until.test(at); hops++) {
      const response = await this.get(at)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${at}: ${response.status} ${await response.text()}`)
      at = new URL(location, at).href
    }
    return at
  }
}

describeOnEveryStorage('signing in by a provider', (storage) => {
  let world: HttpWorld
  let openIdClient: WebOpenIdClient
  let publicUrl: string
  let owner: Person
  let providerId: string
  let provider: Awaited<ReturnType<typeof openTestProvider>>
  let trusted: readonly TrustedLoginClient[] = []

  beforeAll(async () => {
    const settings = {
      ...defaultSettings,
      get publicUrl() {
        return publicUrl
      },
      get trustedLoginClients() {
        return trusted
      },
    }
    openIdClient = new WebOpenIdClient({ allow: ['127.0.0.1'] })
    const ports = { openIdClient, settings, signUpPolicy: openSignUp }
    world = await openHttpWorld(storage, { ports })
    publicUrl = world.url
    owner = await world.newPerson('Owner')
    provider = await openTestProvider(async (config) => {
      const { spaceId, api } = owner
      const given = { spaceId, type: 'oidc', name: 'City account', config } as const
      providerId = (await api.loginProviders.createLoginProvider(given)).id
      return [`${publicUrl}/api/auth/oidc/${providerId}/callback`]
    })
    for (const [name, verified] of [
      ['grace', true],
      ['ada', false],
      ['owner', true],
    ] as const) {
      const email = `${name}@example.com`
      provider.accounts.set(name, { email, email_verified: verified, name })
    }
  })
  afterAll(async () => {
    provider.close()
    await world.close()
  })

  const start = (redirect = '/') =>
    `${publicUrl}/api/auth/oidc/${providerId}/start?redirect=${encodeURIComponent(redirect)}`
  const callback = /\/callback\?/
  /** The way to the provider, and to the door on the way back. */
  const goAs = (browser: Browser, name: string, url = start('/welcome?x=1')) => {
    provider.state.next = name
    return browser.follow(url, callback)
  }
  const me = async (browser: Browser) =>
    (await browser.get(`${publicUrl}/api/auth/user/me`)).json() as Promise<Record<string, unknown>>

  test('[HTTP-210] [IDENTITY-12] a browser goes to the provider and comes back signed in', async () => {
    const browser = new Browser()
    const back = await goAs(browser, 'grace')
    expect(browser.told[0]).toMatch(
      /^gateleg_sign_in=sign-in\.[^;,\s]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const response = await browser.get(back)
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
      ...[302, `${publicUrl}/welcome?x=1`, ''],
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.getSetCookie()).toEqual([
      'gateleg_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
      expect.stringMatching(
        /^gateleg_session=\w+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
      ),
    ])
    const { id, ...user } = await me(browser)
    expect(user).toMatchObject({ name: 'grace', email: 'grace@example.com', hasPassword: false })
    const again = new Browser()
    expect((await again.get(await goAs(again, 'grace'))).status).toBe(302)
    expect(await me(again)).toMatchObject({ id })
  })

  test('[HTTP-211] [IDENTITY-4] [IDENTITY-5] what comes back is taken once, and from the browser that began', async () => {
    const browser = new Browser()
    const back = await goAs(browser, 'grace')
    const flow = browser.jar.get(new URL(publicUrl).host)?.get('gateleg_sign_in') ?? ''
    const stranger = new Browser()
    const statusOf = async (by: Browser, url: string) => (await by.get(url)).status
    expect(await statusOf(stranger, back)).toBe(400)
    // A link that says the flow of whoever made it signs nobody else in.
    const lured = `${back}&flow=${encodeURIComponent(flow)}`
    expect(await statusOf(stranger, lured)).toBe(400)
    await stranger.get(start())
    expect([await statusOf(stranger, back), await statusOf(stranger, lured)]).toEqual([400, 400])
    expect(await statusOf(browser, back.replace(/state=\w/, 'state=x'))).toBe(400)
    expect(stranger.told.join()).not.toContain('gateleg_session')
    expect(await statusOf(browser, back)).toBe(302)
    browser.jar.get(new URL(publicUrl).host)?.set('gateleg_sign_in', flow)
    expect(await statusOf(browser, back)).toBe(400)
    expect(await statusOf(new Browser(), start('//evil.example'))).toBe(400)
  })

  test('[IDENTITY-11] [IDENTITY-12] nobody comes into an account by its address', async () => {
    for (const [name, status] of [
      ['ada', 403],
      ['owner', 409],
    ] as const) {
      const browser = new Browser()
      const response = await browser.get(await goAs(browser, name))
      expect([name, response.status]).toEqual([name, status])
      expect(response.headers.getSetCookie()).toEqual([])
    }
  })

  test('[IDENTITY-24] a verified address leads to its account where the operator trusts the client', async () => {
    const endAs = async (name: string) => {
      const browser = new Browser()
      const { status } = await browser.get(await goAs(browser, name))
      return { status, id: status === 302 ? (await me(browser)).id : undefined }
    }
    for (const name of ['vera', 'vera-of-the-library', 'vera-of-the-town']) {
      provider.accounts.set(name, { email: 'vera@example.com', email_verified: true })
    }
    trusted = [{ issuer: provider.issuer, clientId: 'library' }]
    const made = await endAs('vera')
    expect(await endAs('vera-of-the-library')).toEqual({ status: 302, id: made.id })
    // That account has never shown that the address is its own.
    expect(await endAs('owner')).toMatchObject({ status: 409 })
    trusted = []
    expect(await endAs('vera-of-the-town')).toMatchObject({ status: 409 })
    expect(await endAs('vera')).toEqual({ status: 302, id: made.id })
  })

  test('[HTTP-212] [IDENTITY-15] [IDENTITY-16] a page links an identity, which then signs in', async () => {
    const browser = new Browser()
    const body = JSON.stringify({ email: owner.email, password: testPassword })
    const headers = { 'Content-Type': 'application/json' }
    const json = { method: 'POST', headers }
    await browser.get(`${publicUrl}/api/auth/signin`, { ...json, body })
    const link = `${publicUrl}/api/auth/oidc/${providerId}/link`
    const sent = {
      ...json,
      body: JSON.stringify({ password: testPassword, redirect: '/settings' }),
    }
    const others = { ...headers, Origin: 'https://evil.example' }
    const foreign = await browser.get(link, { ...sent, headers: others })
    expect(foreign.status).toBe(403)
    // No link can begin it.
    expect((await browser.get(link)).status).toBe(405)
    const { url } = (await (await browser.get(link, sent)).json()) as { url: string }
    const response = await browser.get(await goAs(browser, 'owner', url))
    expect([response.status, response.headers.get('location')]).toEqual([
      ...[302, `${publicUrl}/settings`],
    ])
    expect(response.headers.getSetCookie()).toHaveLength(1)
    const other = new Browser()
    await other.get(await goAs(other, 'owner'))
    expect(await me(other)).toMatchObject({ id: owner.userId })
  })

  test('[HTTP-216] a browser that another site led to the beginning is asked first', async () => {
    const { host } = new URL(provider.issuer)
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Referer: 'https://evil.example/' },
      // Over plain http, by a link that hides where it stands; as what a page loads, which takes no page.
      { Accept: 'text/html,*/*;q=0.8' },
      { Accept: 'image/*', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    ]) {
      const browser = new Browser()
      const response = await browser.get(`${start('/a?b=c')}&inviteCode=%3C`, { headers })
      const page = await response.text()
      expect([response.status, response.headers.get('location'), browser.told]).toEqual([
        ...[200, null, []],
      ])
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page).toContain(`<a href="start?redirect=%2Fa%3Fb%3Dc&#38;inviteCode=%3C">`)
      expect(page).toContain(`Go on to ${host}</a>`)
      expect(response.headers.get('referrer-policy')).toBe('same-origin')
    }
    const goingOn = { Accept: 'text/html', Referer: start('/a') }
    expect((await new Browser().get(start('/a'), { headers: goingOn })).status).toBe(302)
    const own = { 'Sec-Fetch-Site': 'same-origin', Referer: `${publicUrl}/login` }
    expect((await new Browser().get(start(), { headers: own })).status).toBe(302)
  })

  test('[HTTP-216] a real browser that another site led there shows the question, and goes on by its link', async () => {
    const { port, close: closeOther } = await openOtherSite(start('/docs'))
    const { browser, close } = await startBrowser()
    try {
      const page = await browser.newPage()
      const cookieNames = async () =>
        (await page.context().cookies(publicUrl)).map(({ name }) => name)
      await page.goto(`http://localhost:${port}/`)
      await page.getByRole('link', { name: 'A present' }).click()
      await page.getByRole('heading', { name: 'Sign in?' }).waitFor()
      expect(page.url()).toBe(start('/docs'))
      expect(await cookieNames()).toEqual([])
      expect(await seriousFaults(page)).toEqual([])
      await keepScreenshot(page, `asking-${storage.name}`)
      provider.state.next = 'grace'
      await page.getByRole('link', { name: `Go on to ${new URL(provider.issuer).host}` }).click()
      await page.waitForURL(`${publicUrl}/docs`, { waitUntil: 'commit' })
      expect(await cookieNames()).toContain('gateleg_session')
    } finally {
      await close()
      closeOther()
    }
  }, 120_000)

  test('[HTTP-217] what failed is told to browsers on a page, and to programs in JSON', async () => {
    const path = `${publicUrl}/api/auth/oidc/${providerId}/callback?state=x&error=`
    const asBrowser = { headers: { Accept: 'text/html,*/*;q=0.8' } }
    const refused = await new Browser().get(`${path}"><script>`, asBrowser)
    const page = await refused.text()
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      ...[400, 'text/html; charset=utf-8'],
    ])
    expect(page).toContain('begin again')
    expect(page).toContain('<a href="start">Begin again</a>')
    expect(page).not.toContain('<script')
    const missing = `${publicUrl}/api/auth/oidc/${encodeURIComponent('<b>')}/start`
    const absent = await new Browser().get(missing, asBrowser)
    expect([absent.status, await absent.text()]).toEqual([
      expect.any(Number),
      expect.not.stringContaining('<b>'),
    ])
    const program = await new Browser().get(path)
    expect([program.status, await program.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_error' }),
    ])
    const { identify } = openIdClient
    openIdClient.identify = () => Promise.reject(new DomainError('service_busy', 'Too many'))
    const browser = new Browser()
    const back = await goAs(browser, 'grace')
    const later = await browser.get(back, asBrowser)
    openIdClient.identify = identify
    const again = /<a href="([^"]+)">Try again/.exec(await later.text())?.[1] ?? ''
    expect([later.status, later.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    const url = new URL(again.replaceAll('&#38;', '&'), back).href
    expect(url).toBe(back)
    expect((await browser.get(url, asBrowser)).status).toBe(302)
  })

  test('[HTTP-212] programs are answered in JSON, with the flow', async () => {
    const path = `/api/auth/oidc/${providerId}`
    const begun = await world.send({ method: 'POST', path: `${path}/start`, body: {} })
    const { url, flow } = begun.json() as { url: string; flow: string }
    const back = new URL(await goAs(new Browser(), 'grace', url))
    const answer = { ...Object.fromEntries(back.searchParams), flow }
    const ended = await world.send({ method: 'POST', path: `${path}/callback`, body: answer })
    expect(ended.json()).toEqual({ redirect: `${publicUrl}/`, accessToken: expect.any(String) })
  })
})

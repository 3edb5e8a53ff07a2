import { defaultSettings } from '@gateleg/domain/settings'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { provingCode } from '@gateleg/testing/operations/oauth-grants'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBrowser } from '../../../../test/browser.ts'

const waitMs = 15_000

/** Pages that were opened in a browser, and links to a sign-in as somebody else that its user did not choose. */
describeOnEveryStorage('links to the beginning of a sign-in', (storage) => {
  let world: HttpWorld
  let close: () => Promise<void>
  let browser: Browser
  let tab: Page
  let mallory: Person
  let ada: Person
  /** The beginning of a sign-in as Mallory, below the address of the service. */
  let start: string

  beforeAll(async () => {
    const settings = {
      ...defaultSettings,
      get publicUrl() {
        return world.url
      },
    }
    // The way to the provider ends on a page of ours: that a browser is there shows that it was led on.
    const openIdClient = {
      authorizationUrl: async () => `${world.url}/health`,
      identify: () => Promise.reject(new Error('nobody comes back')),
    }
    world = await openHttpWorld(storage, { ports: { settings, openIdClient } })
    await world.newPerson('Root')
    mallory = await world.newPerson('Mallory')
    ada = await world.newPerson('Ada')
    const at = 'https://login.example.com'
    const { id } = await mallory.api.loginProviders.createLoginProvider({
      ...{ spaceId: mallory.spaceId, type: 'oidc', name: 'Of Mallory' },
      config: {
        ...{ clientId: 'c', clientSecret: 'a secret', issuer: at },
        ...{ authorizationUrl: `${at}/a`, tokenUrl: `${at}/t`, userInfoUrl: `${at}/u` },
      },
    })
    start = `/api/auth/oidc/${id}/start`
    ;({ browser, close } = await startBrowser())
  })
  afterAll(async () => {
    await close()
    await world.close()
  })
  beforeEach(async () => {
    tab = await (await browser.newContext()).newPage()
    tab.setDefaultTimeout(waitMs)
  })
  afterEach(() => tab.context().close())

  const cookieNames = async () => (await tab.context().cookies()).map(({ name }) => name)
  const enterAs = async ({ accessToken: value = '' }: Person) => {
    await tab.context().addCookies([{ name: 'gateleg_session', value, url: world.url }])
  }
  /** That the browser is asked, and has begun nothing. */
  const expectQuestion = async () => {
    await tab.getByRole('heading', { name: 'Sign in?' }).waitFor()
    expect(await cookieNames()).not.toContain('gateleg_sign_in')
  }
  /** Opens the question of an app of Mallory's whose page and place are of our own site. */
  const openQuestion = async () => {
    const place = `${world.url}${start}`
    const { clientId } = await mallory.api.oauthClients.createClient({
      ...{ name: 'Nice app', homepage: place, redirectUris: [place], scopes: ['base|read'] },
    })
    const asked = new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: place, state: 's' },
      ...{ code_challenge: provingCode.challenge, code_challenge_method: 'S256' },
    })
    await tab.goto(`${world.url}/api/oauth/authorize?${asked}`)
    await tab.getByRole('button', { name: 'Refuse' }).waitFor()
  }

  test('[HTTP-301] the front page leads nowhere but to questions of apps, however a place is written', async () => {
    const question = 'api/oauth/authorize'
    for (const path of [
      `${question}/../../..${start}`,
      `${question}/%2e%2e/.%2E/..${start}`,
      `${question}\\..\\..\\..${start.replaceAll('/', '\\')}`,
      `${question}/..%2f..%2f..${start}`,
      `api/oauth/decision/..%2f..%2f..${start}`,
      `api/oauth/decision/oauth.1/..${start}`,
      `api/../${start}`,
      `api/oauth/authorized`,
      `api//evil.example/api/oauth/authorize`,
      `//evil.example/api/oauth/authorize`,
      `https://evil.example/api/oauth/authorize`,
      start.slice(1),
    ]) {
      await tab.goto('about:blank')
      await tab.goto(`${world.url}/#sign-in=${encodeURIComponent(path)}`)
      await tab.waitForLoadState()
      expect([path, await tab.locator('#sign-in').isVisible()]).toEqual([path, false])
    }
    for (const path of [`${question}?client_id=a/../b`, 'api/oauth/decision/oauth.a-b_c~.1']) {
      await tab.goto('about:blank')
      await tab.goto(`${world.url}/#sign-in=${encodeURIComponent(path)}`)
      await tab.locator('#sign-in').waitFor()
    }
  })

  test('[HTTP-301] the front page leads back to the question that it was opened for', async () => {
    await tab.goto(`${world.url}/api/oauth/authorize?client_id=none`)
    await tab.locator('#sign-in-email').fill(ada.email)
    await tab.locator('#sign-in-password').fill(testPassword)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('heading', { name: 'The app is not let in' }).waitFor()
    expect(tab.url()).toBe(`${world.url}/api/oauth/authorize?client_id=none`)
  })

  test('[HTTP-301] the front page leads back to a question that was open when the session ended', async () => {
    await enterAs(ada)
    await openQuestion()
    const question = tab.url()
    await tab.context().clearCookies()
    await tab.goto(question)
    await tab.locator('#sign-in-email').fill(ada.email)
    await tab.locator('#sign-in-password').fill(testPassword)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('button', { name: 'Refuse' }).waitFor()
    expect(tab.url()).toBe(question)
  })

  test('[HTTP-302] the question of an app has no link that the app has chosen', async () => {
    await enterAs(ada)
    await openQuestion()
    expect(await tab.locator('a').count()).toBe(0)
    expect(await tab.textContent('body')).toContain(`Nice app (${world.url}${start})`)
  })

  test('[HTTP-300] an answer to an app whose place is the beginning of a sign-in leads to its question', async () => {
    await enterAs(ada)
    for (const name of ['Allow', 'Refuse']) {
      await openQuestion()
      await tab.getByRole('button', { name }).click()
      await expectQuestion()
    }
  })

  test('[HTTP-300] a page that says what failed begins no sign-in without a question', async () => {
    const callback = start.replace('/start', '/callback')
    for (const path of [`${callback}?error=no&state=s`, `${start}?redirect=//evil.example`]) {
      await tab.goto(`${world.url}${path}`)
      await tab.getByRole('link', { name: 'Begin again' }).click()
      await expectQuestion()
    }
    await tab.getByRole('link', { name: 'Go on to' }).click()
    await tab.waitForURL('**/health')
    expect(await cookieNames()).toContain('gateleg_sign_in')
  })

  test('[HTTP-300] a link on a page of our own goes on at once where that says where it stands', async () => {
    for (const [policy, isLedOn] of [
      ['no-referrer', false],
      ['same-origin', true],
    ] as const) {
      await tab.route('**/login', (route) => {
        const body = `<a href="${start}" referrerpolicy="${policy}">City account</a>`
        return route.fulfill({ contentType: 'text/html', body })
      })
      await tab.goto(`${world.url}/login`)
      await tab.getByRole('link').click()
      if (isLedOn) await tab.waitForURL('**/health')
      else await expectQuestion()
    }
  })
})

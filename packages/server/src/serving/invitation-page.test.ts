import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  keepScreenshot,
  seriousFaults,
  startBrowser,
  type TestBrowser,
} from '../../../../test/browser.ts'
import { findFreePort } from '../../../../test/free-port.ts'
import { makeDatabase } from '../../../../test/fresh-database.ts'
import { invitationTokenIn, startMailServer } from '../../../../test/mail-server.ts'
import { isOn } from '../../../../test/storages.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { type RunningServer, serve } from './serve.ts'

const password = 'A-good-password-1'
const newcomer = 'new@example.com'

let started: TestBrowser
let dataDir: string
let running: RunningServer
let closePost: () => void
let dropDatabase: (() => Promise<void>) | undefined
let url: string
let ada: ReturnType<typeof createClient>
let spaceId: string
let mails: readonly string[]

beforeAll(async () => {
  started = await startBrowser()
})
afterAll(() => started?.close())

/** Starts a server on the storage, with an owner who has invited somebody. */
async function start(on: 'sqlite' | 'postgres'): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const post = await startMailServer()
  closePost = post.close
  mails = post.mails
  const database = on === 'postgres' ? await makeDatabase() : undefined
  dropDatabase = database?.drop
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  running = await serve(
    readConfiguration({
      DATA_DIR: dataDir,
      ...(database && { DATABASE_URL: database.connectionString }),
      PORT: String(port),
      PUBLIC_URL: url,
      LOG_LEVEL: 'silent',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(post.port),
      SMTP_FROM: 'gateleg@example.com',
    }),
  )
  const baseUrl = `${url}/api`
  const { accounts } = createClient({ baseUrl })
  const { accessToken: token } = await accounts.signUp({ email: 'ada@example.com', password })
  ada = createClient({ baseUrl, token })
  spaceId = (await ada.spaces.listSpaces({}))[0]?.id ?? ''
  await ada.collaborators.inviteToSpace({ spaceId, emails: [newcomer], role: 'editor' })
}
afterEach(async () => {
  await running.close()
  await dropDatabase?.()
  closePost()
  rmSync(dataDir, { recursive: true })
})

/** The address that the mail links to. */
const linkOfMail = () => `${url}/#invitation=${invitationTokenIn(mails[0])}`

/** Opens an address in a browser that nobody has used, and hears of all that goes wrong in it. */
async function openPage(address: string) {
  const context = await started.browser.newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const at = message.location().url.replace(url, '')
    if (message.type() === 'error') complaints.push(`${at}: ${message.text()}`)
  })
  const answer = await page.goto(address)
  return { page, complaints, answer, close: () => context.close() }
}

const state = (page: Page) => page.locator('#invitation-state')

async function rolesInSpace() {
  const { collaborators } = await ada.collaborators.listSpaceCollaborators({ spaceId })
  return Object.fromEntries(collaborators.map(({ userName, role }) => [userName, role]))
}

/** Browsers note every answer of 4xx there: that nobody is signed in yet is no fault of the page. */
const notSignedIn = /^\/api\/auth\/user\/me: .*status of 401/

describe.each((['sqlite', 'postgres'] as const).filter(isOn))('the front page on %s', (on) => {
  beforeEach(() => start(on))

  test('[HTTP-50] a browser signs somebody new up by the link of the mail, and accepts', async () => {
    const { page, complaints, answer, close } = await openPage(linkOfMail())
    expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';")
    const section = page.locator('#invitation')
    await section.getByLabel('E-mail address').fill(newcomer)
    await section.getByLabel('Password', { exact: true }).fill(password)
    await section.getByLabel('I have no account yet').check()
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `invitation-${on}`)
    await page.getByRole('button', { name: 'Go on' }).click()
    await state(page)
      .filter({ hasText: `Done: you are in the space ${spaceId}.` })
      .waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'editor' })
    expect(complaints.filter((complaint) => !notSignedIn.test(complaint))).toEqual([])
    await close()
  })

  test('[HTTP-50] a browser that is signed in accepts with one button, and goes on when the address changes', async () => {
    const { page, complaints, close } = await openPage(`${url}/`)
    expect(await page.locator('#invitation').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    // The page's own origin: the cookie is the browser's from here on.
    await page.evaluate(
      async (input) => {
        const headers = { 'Content-Type': 'application/json' }
        await fetch('api/auth/signup', { method: 'POST', headers, body: JSON.stringify(input) })
      },
      { email: newcomer, password },
    )
    await page.goto(linkOfMail())
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await state(page).filter({ hasText: 'Done' }).waitFor()
    expect(await rolesInSpace()).toEqual({ ada: 'owner', new: 'editor' })
    expect(complaints).toEqual([])
    await close()
  })

  test('[HTTP-94] a browser sets a new password by the link of the mail, which signs in then', async () => {
    const { accounts } = createClient({ baseUrl: `${url}/api` })
    await accounts.sendPasswordReset({ email: 'ada@example.com' })
    // The answer waits for no mail, so that nobody learns from it who has an account.
    const codeOfMail = () => {
      const text = mails[1]?.replaceAll('=\n', '').replaceAll('=3D', '=') ?? ''
      return /#reset-password=(\S+)\s/.exec(text)?.[1]
    }
    await expect.poll(codeOfMail, { timeout: 20_000 }).toBeDefined()
    const code = codeOfMail()
    const { page, complaints, close } = await openPage(`${url}/#reset-password=${code}`)
    const section = page.locator('#new-password')
    expect(await page.locator('#invitation').isVisible()).toBe(false)
    await section.getByLabel('New password').fill('short')
    await section.getByRole('button', { name: 'Set the password' }).click()
    const said = section.getByRole('status')
    await said.filter({ hasText: 'must have at least 8 characters' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `new-password-${on}`)
    const another = 'Another-password-2'
    await section.getByLabel('New password').fill(another)
    await section.getByRole('button', { name: 'Set the password' }).click()
    await said.filter({ hasText: 'Done: sign in with the new password' }).waitFor()
    const signedIn = await accounts.signIn({ email: 'ada@example.com', password: another })
    expect(signedIn.email).toBe('ada@example.com')
    expect(complaints.filter((complaint) => !/status of 400/.test(complaint))).toEqual([])
    await close()
  })

  // The same whatever the storage is: it takes a browser half a minute on a machine that has other work to do.
  test.runIf(on === 'sqlite')(
    '[HTTP-29] a browser shows the operations',
    async () => {
      const { page, complaints, close } = await openPage(`${url}/docs`)
      // Its script is long, and what it shows as well.
      page.setDefaultTimeout(100_000)
      await page.locator('.opblock-tag').first().click()
      await page.locator('.opblock-summary-path').first().waitFor()
      expect(complaints).toEqual([])
      const ids = (await page.evaluate(
        `[...document.querySelectorAll('[id]')].map(({ id }) => id)`,
      )) as readonly string[]
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
      await keepScreenshot(page, 'docs')
      await close()
    },
    120_000,
  )

  test('[HTTP-217] a browser shows why a sign-in failed', async () => {
    const { page, close } = await openPage(`${url}/api/auth/oidc/autNone/start`)
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    expect(await page.getByRole('link', { name: 'Begin again' }).count()).toBe(1)
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `failed-sign-in-${on}`)
    await close()
  })

  test('[HTTP-50] the policy of the page lets nothing run that was put into it', async () => {
    const { page, complaints, close } = await openPage(linkOfMail())
    await state(page).filter({ hasText: 'Sign in' }).waitFor()
    // As text: it runs in the browser, whose names are none of this program's.
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'document.title = "taken over"'
      document.body.append(script)
      const picture = document.createElement('img')
      picture.src = 'https://elsewhere.example/picture.png'
      document.body.append(picture)
    }`)
    await expect
      .poll(() => complaints.filter((text) => /Content Security Policy/.test(text)))
      .toHaveLength(2)
    expect(await page.title()).toBe('Gateleg')
    await close()
  })
})

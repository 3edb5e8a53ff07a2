import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keepScreenshot,
  seriousFaults,
  startBrowser,
  type TestBrowser,
} from '../../../test/browser.ts'
import { createHttpApp, type ServedEngine } from './create-http-app.ts'
import { listen } from './http-server.ts'

const state = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()

describeOnEveryStorage('the pages of plugins that ship', (storage) => {
  let world: HttpWorld
  let started: TestBrowser
  let ada: Person
  let address: string
  let panelAddress: string

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    started = await startBrowser()
    ada = await world.newPerson('Ada')
    const { api, spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Library' })
    const rows = [
      ['Emma', 'Austen', 474],
      ['Evelina', 'Burney', 455],
      ['Sanditon', 'Austen', 72],
    ] as const
    const { id: tableId } = await api.tables.createTable({
      baseId,
      name: 'Books',
      fields: [
        { type: 'singleLineText', name: 'Title' },
        { type: 'singleLineText', name: 'Author' },
        {
          type: 'number',
          name: 'Pages',
          options: { formatting: { type: 'decimal', precision: 0 } },
        },
      ],
      records: rows.map(([Title, Author, Pages]) => ({ fields: { Title, Author, Pages } })),
    })
    const { id: dashboardId } = await api.dashboards.createDashboard({ baseId, name: 'Board' })
    const { pluginInstallId } = await api.dashboards.installOnDashboard({
      ...{ baseId, dashboardId, pluginId: 'plgchart', name: 'Pages' },
    })
    const asked = new URLSearchParams({ baseId, dashboardId, pluginInstallId })
    address = `${world.url}/plugins/chart?${asked}`
    const { id: panelId } = await api.pluginPanels.createPanel({ tableId, name: 'Panel' })
    const install = { tableId, pluginPanelId: panelId, pluginId: 'plgchart' }
    const onPanel = await api.pluginPanels.installOnPanel(install)
    const { pluginInstallId: installId } = onPanel
    const ofPanel = new URLSearchParams({ tableId, panelId, pluginInstallId: installId })
    panelAddress = `${world.url}/plugins/chart?${ofPanel}`
  }, 60_000)
  afterAll(async () => {
    await started?.close()
    await world?.close()
  })

  /** What the table below the drawing says. */
  const numbers = (page: Page) =>
    page
      .locator('#numbers tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map(({ textContent }) => textContent)),
      )
  test('[HTTP-200] says what its address lacks', async () => {
    const page = await started.browser.newPage()
    const board = '?baseId=…&dashboardId=…&pluginInstallId=…'
    const panel = '?tableId=…&panelId=…&pluginInstallId=…'
    for (const [query, said] of [
      ['', `${board}: add baseId and dashboardId and pluginInstallId`],
      ['?baseId=bse1&dashboardId=dsh1', `${board}: add pluginInstallId`],
      ['?panelId=ppl1&pluginInstallId=', `${panel}: add tableId and pluginInstallId`],
    ]) {
      await page.goto(`${world.url}/plugins/chart${query}`)
      await state(page, `The address of this page must end in ${said}`)
    }
    await page.close()
  })

  test('[HTTP-200] a chart is made by clicking, shows what the tables have, and is there again', async () => {
    const context = await started.browser.newContext()
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const saves: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saves.push(request.headers().authorization)
    })
    const answer = await page.goto(address)
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    await state(page, 'Sign in to go on')
    await page.getByLabel('E-mail address').fill(ada.email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await state(page, 'Choose what the chart shows')
    await page.getByLabel('Value').selectOption({ label: 'Sum of Pages' })
    await page.getByLabel('For each').selectOption({ label: 'Author' })
    await page.getByLabel('Order').selectOption({ label: 'Largest first' })
    await page.getByRole('button', { name: 'Save' }).click()
    await state(page, 'Saved')
    const all = [
      ['Austen', '546'],
      ['Burney', '455'],
    ]
    expect(await numbers(page)).toEqual(all)
    expect(await page.locator('#drawing canvas').count()).toBe(1)
    expect(await page.locator('#drawing').getAttribute('aria-label')).toBe(
      'A chart of Sum of Pages by Author. Austen: 546, Burney: 455',
    )
    expect(await page.locator('#caption').textContent()).toBe('Sum of Pages by Author')
    expect(await page.locator('#numbers thead th').allTextContents()).toEqual([
      'Author',
      'Sum of Pages',
    ])
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `chart-${storage.name}`)
    for (const form of ['Line', 'Area', 'Pie']) {
      await page.getByLabel('Form').selectOption({ label: form })
      await page.getByRole('button', { name: 'Show' }).click()
      await state(page, 'Drawn: 2 values')
      expect(await numbers(page)).toEqual(all)
    }
    await page.getByLabel('Form').selectOption({ label: 'One number' })
    await page.getByLabel('Field').selectOption({ label: 'Pages' })
    await page.getByLabel('Condition').selectOption({ label: 'is less than' })
    await page.getByLabel('Compared with').fill('456')
    await page.getByRole('button', { name: 'Save' }).click()
    await state(page, 'Saved')
    expect(await page.locator('#number').textContent()).toBe('527')
    expect(await seriousFaults(page)).toEqual([])
    await page.reload()
    await state(page, 'Drawn: 1 value')
    expect(await page.locator('#number').textContent()).toBe('527')
    expect(await page.getByLabel('Compared with').inputValue()).toBe('456')
    const byPageToken = expect.stringMatching(/^Bearer page\./)
    expect(saves).toEqual([byPageToken, byPageToken])
    // Browsers note every answer of 4xx there: that nobody was signed in is no fault of the page.
    expect(complaints.filter((complaint) => !complaint.includes('status of 401'))).toEqual([])
    await context.close()
  }, 120_000)

  test('[HTTP-200] a chart on a panel is made with the keyboard alone', async () => {
    const context = await started.browser.newContext()
    const page = await context.newPage()
    const pressUntil = async (key: string, where: string, reached: string) => {
      for (let presses = 0; (await page.evaluate(where)) !== reached; presses++) {
        if (presses > 40) throw new Error(`${key} does not lead to ${reached}`)
        await page.keyboard.press(key)
      }
    }
    const tabTo = (named: string) =>
      pressUntil('Tab', 'document.activeElement.id || document.activeElement.textContent', named)
    const choose = async (list: string, option: string) => {
      await tabTo(list)
      await pressUntil('ArrowDown', 'document.activeElement.selectedOptions[0].text', option)
    }
    await page.goto(panelAddress)
    await state(page, 'Sign in to go on')
    await tabTo('email')
    await page.keyboard.insertText(ada.email)
    await tabTo('password')
    await page.keyboard.insertText(testPassword)
    await page.keyboard.press('Enter')
    await state(page, 'Choose what the chart shows')
    await choose('value', 'Greatest of Pages')
    await choose('group', 'Author')
    await tabTo('Save')
    await page.keyboard.press('Enter')
    await state(page, 'Saved')
    const greatest = [
      ['Austen', '474'],
      ['Burney', '455'],
    ]
    expect(await numbers(page)).toEqual(greatest)
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `chart-on-panel-${storage.name}`)
    await context.close()
  }, 120_000)

  test('[HTTP-213] the records of a menu are summed up, and what their address lacks is said', async () => {
    const { api, spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Lending' })
    const table = await api.tables.createTable({
      baseId,
      name: 'Loans',
      fields: [
        { type: 'singleLineText', name: 'Title' },
        { type: 'number', name: 'Days' },
        { type: 'date', name: 'Until' },
        { type: 'multipleSelect', name: 'Kinds', options: { choices: [{ name: 'a' }] } },
      ],
      records: [
        { fields: { Title: 'Emma', Days: 10.1, Until: '2026-03-10', Kinds: ['a'] } },
        { fields: { Title: 'Evelina', Days: 9.2, Until: '2026-11-02' } },
        { fields: { Title: 'Sanditon' } },
        { fields: { Title: 'Not selected', Days: 1_000, Until: '1999-01-01' } },
      ],
    })
    const { pluginInstallId } = await api.contextMenus.installInContextMenu({
      ...{ tableId: table.id, pluginId: 'plgcontextexample', name: 'Sum up' },
    })
    const entry = await api.contextMenus.getContextMenuEntry({ tableId: table.id, pluginInstallId })
    const selected = table.records.slice(0, 3).map(({ id }) => id)
    const context = await started.browser.newContext()
    const page = await context.newPage()
    const at = (more: Record<string, string>) =>
      `${world.url}${entry.url}?${new URLSearchParams({ tableId: table.id, ...more })}`
    await page.goto(at({}))
    await state(page, 'add pluginInstallId and recordIds')
    const answer = await page.goto(at({ pluginInstallId, recordIds: selected.join(',') }))
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    await state(page, 'Sign in to go on')
    await page.getByLabel('E-mail address').fill(ada.email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await state(page, '3 records')
    const rows = await page
      .locator('#statistics tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.children].map(({ textContent }) => textContent)),
      )
    expect(rows).toEqual([
      ['Title', '3', '', '', ''],
      ['Days', '2', '19.3', '9.20', '10.10'],
      ['Until', '2', '', '2026-03-10', '2026-11-02'],
      ['Kinds', '1', '', '', ''],
    ])
    expect(await page.getByRole('heading').textContent()).toBe('Sum up')
    expect(await seriousFaults(page)).toEqual([])
    await keepScreenshot(page, `records-of-menu-${storage.name}`)
    await context.close()
  }, 60_000)

  test('[HTTP-214] only pages of the own origin, and of those that are configured, frame them', async () => {
    const frames = createServer((request, response) => {
      const framed = new URL(request.url ?? '', 'http://x').searchParams.get('of') ?? ''
      response.setHeader('Content-Type', 'text/html')
      response.end(`<!doctype html><iframe src="${framed}"></iframe>`)
    })
    await new Promise<void>((resolve) => frames.listen(0, '127.0.0.1', resolve))
    const { port } = frames.address() as AddressInfo
    const engine = { isHealthy: async () => true } as unknown as ServedEngine
    const pluginFrameOrigins = [`http://127.0.0.1:${port}`]
    const app = createHttpApp({ ...engine, call: async () => ({}) }, { pluginFrameOrigins })
    const server = await listen({ app, host: '127.0.0.1', port: 0 })
    const page = await started.browser.newPage()
    /** Whether the page is there in a frame of a page at the address. */
    const isFramed = async (framing: string, of: string) => {
      await page.goto(`${framing}?of=${encodeURIComponent(`${of}/plugins/chart`)}`)
      const frame = page.frames().find((one) => one.parentFrame() !== null)
      await frame?.waitForLoadState()
      return (await frame?.locator('#state').count()) === 1
    }
    const listed = `http://127.0.0.1:${port}/`
    expect(await isFramed(listed, server.url)).toBe(true)
    expect(await isFramed(`http://localhost:${port}/`, server.url)).toBe(false)
    expect(await isFramed(listed, world.url)).toBe(false)
    // A page of the own origin, whoever wrote it.
    await page.route(`${world.url}/framing**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><iframe src="/plugins/chart"></iframe>',
      }),
    )
    expect(await isFramed(`${world.url}/framing`, world.url)).toBe(true)
    const frameOptions = async (url: string) =>
      (await fetch(`${url}/plugins/chart`)).headers.get('x-frame-options')
    expect(await frameOptions(world.url)).toBe('SAMEORIGIN')
    // It can't name other origins: browsers that know no policy would show the page on none of them.
    expect(await frameOptions(server.url)).toBeNull()
    await page.close()
    await server.close(0)
    frames.close()
  }, 60_000)
})

test.each([
  ['https://app.example.com/'],
  ['https://*.example.com'],
  ['app.example.com'],
  ["'self'"],
])('[HTTP-214] %s is no origin', (origin) => {
  const engine = { call: async () => ({}), isHealthy: async () => true } as never
  expect(() => createHttpApp(engine, { pluginFrameOrigins: [origin] })).toThrow('list of origins')
})

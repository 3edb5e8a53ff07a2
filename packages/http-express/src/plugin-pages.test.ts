import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/world'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser, type TestBrowser } from '../../../test/browser.ts'

/** What axe finds that keeps somebody from using the page, or makes it hard. */
async function seriousFaults(page: Page): Promise<readonly string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(readFileSync(path, 'utf8'))
  const { violations } = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly { readonly id: string; readonly impact: string }[]
  }
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id }) => id)
}

describeOnEveryStorage('the page of charts', (storage) => {
  let world: HttpWorld
  let started: TestBrowser
  let ada: Person
  let address: string

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
    await api.tables.createTable({
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
  const state = (page: Page, text: string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor()

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
      'A chart of Pages_sum by Author. Austen: 546, Burney: 455',
    )
    expect(await seriousFaults(page)).toEqual([])
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
    // Browsers note every answer of 4xx there: that nobody was signed in is no fault of the page.
    expect(complaints.filter((complaint) => !complaint.includes('status of 401'))).toEqual([])
    await context.close()
  }, 120_000)
})

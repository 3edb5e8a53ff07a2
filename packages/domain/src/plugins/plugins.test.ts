import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { actions } from '../access/roles.ts'
import type { DomainEvent } from '../events/event.ts'
import { requireInstallable } from './find-plugin.ts'
import { type PluginPosition, pageUrlOf } from './plugin.ts'
import { shippedPlugins } from './shipped-plugins.ts'

const maps = {
  name: 'Maps',
  logo: 'https://maps.example.com/logo.png',
  positions: ['panel'] as PluginPosition[],
}

const mask = '********'

describeOnEveryStorage('plugins', (storage) => {
  let world: World
  let admin: Person
  let ada: Person
  let bob: Person

  beforeEach(async () => {
    world = await openWorld(storage)
    admin = await world.newPerson('Root')
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
  })
  afterEach(() => world.close())

  const register = (sent: object = {}, person = ada) =>
    person.api.plugins.createPlugin({ ...maps, ...sent } as never)
  const update = (pluginId: string, sent: object = {}, person = ada) =>
    person.api.plugins.updatePlugin({ ...maps, ...sent, pluginId } as never)
  const get = (pluginId: string, { api }: Person = ada) => api.plugins.getPlugin({ pluginId })

  /** Registers a plugin of ada's and brings it to everybody. */
  const publish = async (sent: object = {}) => {
    const { id: pluginId } = await register(sent)
    await ada.api.plugins.submitPlugin({ pluginId })
    await admin.api.plugins.publishPlugin({ pluginId })
    return pluginId
  }

  /** All that is done to one plugin by who made it. */
  const changesOf = ({ api: { plugins } }: Person, pluginId: string) => [
    () => plugins.updatePlugin({ ...maps, pluginId }),
    () => plugins.regeneratePluginSecret({ pluginId }),
    () => plugins.submitPlugin({ pluginId }),
    () => plugins.unpublishPlugin({ pluginId }),
    () => plugins.deletePlugin({ pluginId }),
  ]

  const reviewsOf = ({ api: { plugins } }: Person, pluginId: string) => [
    () => plugins.publishPlugin({ pluginId }),
    () => plugins.withdrawPlugin({ pluginId }),
  ]

  test('[PLUGIN-1] are refused to access tokens and strangers', async () => {
    const { id } = await register()
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'x', scopes: [...actions], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const actor = await world.engine.authenticate(token)
    const byToken = { ...ada, api: world.engine.as(actor as never) }
    for (const call of [
      () => register({}, byToken),
      () => byToken.api.plugins.listPlugins({}),
      () => get(id, byToken),
      ...changesOf(byToken, id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'restricted_resource' })
    }
    const published = await publish()
    for (const [pluginId, code] of [
      [id, 'not_found'],
      ['plgNone', 'not_found'],
      [published, 'restricted_resource'],
    ] as const) {
      for (const call of [() => get(pluginId, bob), ...changesOf(bob, pluginId)]) {
        await expect(call()).rejects.toMatchObject({ code })
      }
    }
    expect(await get(id)).toMatchObject({ version: 1 })
    expect(await get(published)).toMatchObject({ version: 3, status: 'published' })
  })

  test('[PLUGIN-1] are registered, listed, read, replaced and deleted by their makers', async () => {
    const config = { contextMenu: { width: '400px', frozen: [true, null, 1.5] } }
    const i18n = { de: { name: 'Karten' }, 'zh-Hant': { description: '地圖', detailDesc: '' } }
    const sent = {
      ...{ name: ' Maps ', description: 'Draws a map', detailDesc: 'At length', config, i18n },
      ...{ url: 'http://localhost:3002/maps', helpUrl: 'https://maps.example.com/help' },
    }
    const words = { ...i18n, de: { ...i18n.de, title: 'no member' } }
    const positions = ['view', 'dashboard', 'view']
    const made = await register({ ...sent, i18n: words, positions })
    expect(made.id).toMatch(/^plg[0-9A-Za-z]{16}$/)
    const time = made.createdTime
    const shown = {
      ...{ ...sent, id: made.id, name: 'Maps', logo: maps.logo, positions: ['dashboard', 'view'] },
      ...{ status: 'developing', createdTime: time, lastModifiedTime: time },
    }
    expect(made).toEqual({ ...shown, secret: made.secret, version: 1 })
    expect(await get(made.id)).toEqual({ ...shown, secret: mask, version: 1 })
    world.clock.advance(1)
    const second = await register()
    await register({}, bob)
    const { config: _, ...listed } = shown
    const { secret, version, ...plain } = second
    expect(await ada.api.plugins.listPlugins({})).toEqual([listed, plain])
    await ada.api.plugins.deletePlugin({ pluginId: made.id })
    expect(await ada.api.plugins.listPlugins({})).toEqual([plain])
  })

  test('[PLUGIN-2] refuse what is too long, no URL, or no JSON', async () => {
    const { id } = await register()
    const deep = JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)
    const languages = Array.from({ length: 11 }, (_, index) => [`x${'abcdefghijk'[index]}`, {}])
    const wrong: readonly (readonly [object, ...(string | number)[]])[] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(21) }, 'name'],
      [{ description: 'x'.repeat(151) }, 'description'],
      [{ detailDesc: 'x'.repeat(3_001) }, 'detailDesc'],
      [{ positions: [] }, 'positions'],
      [{ positions: ['menu'] }, 'positions', 0],
      ...[
        'maps',
        'javascript:alert(1)',
        'data:text/html,x',
        'https://a:b@maps.example.com',
        'https:plugins/chart',
        'https:///plugins/chart',
        'https:\\\\maps.example.com',
        ' https://maps.example.com',
        'ht\ntps://maps.example.com',
        'https://maps.example.com/a b',
        'https://maps.example.com/\u0001',
      ].flatMap((url) =>
        ['logo', 'url', 'helpUrl'].map((member) => [{ [member]: url }, member] as const),
      ),
      [{ config: [] }, 'config'],
      [{ config: deep }, 'config'],
      [{ config: { a: '\0' } }, 'config'],
      [{ config: { '\ud800': 1 } }, 'config'],
      [{ config: { a: Number.NaN } }, 'config'],
      [{ config: { a: new Date(0) } }, 'config'],
      [{ config: { a: 'x'.repeat(10_000) } }, 'config'],
      [{ config: { a: Array(10_001).fill(0) } }, 'config'],
      [{ i18n: { '!': {} } }, 'i18n', '!'],
      [{ i18n: { en: { name: 'x'.repeat(21) } } }, 'i18n', 'en', 'name'],
      [{ i18n: Object.fromEntries(languages) }, 'i18n'],
    ]
    for (const [sent, ...path] of wrong) {
      await expect(register(sent), JSON.stringify(sent)).rejects.toMatchObject(invalidAt(...path))
      await expect(update(id, sent)).rejects.toMatchObject(invalidAt(...path))
    }
    expect(await get(id)).toMatchObject({ version: 1 })
  })

  test('[PLUGIN-3] show their secret once', async () => {
    const events: DomainEvent[] = []
    world.engine.subscribe((event) => events.push(event))
    const { id: pluginId, secret } = await register()
    expect(secret).toMatch(/^[0-9A-Za-z]{40,}$/)
    const again = await ada.api.plugins.regeneratePluginSecret({ pluginId })
    expect(again).toMatchObject({ id: pluginId, version: 2 })
    expect(again.secret).not.toBe(secret)
    const kept = await world.engine.store.read((tx) => tx.plugins.find(pluginId))
    const answers = [
      ...[await get(pluginId), await ada.api.plugins.listPlugins({}), await update(pluginId)],
      await ada.api.plugins.listInstallablePlugins({}),
    ]
    const told = JSON.stringify([answers, events, kept])
    for (const one of [secret, again.secret]) expect(told).not.toContain(one)
  })

  test('[PLUGIN-4] are so many at most', async () => {
    await withLimits({ pluginsPerUser: 2 }, async () => {
      const made = await Promise.allSettled([register(), register(), register()])
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      await expect(register()).rejects.toMatchObject({ code: 'restricted_resource' })
    })
  })

  test('[PLUGIN-5] are replaced whole, and looked at again where their page moves', async () => {
    const url = 'https://maps.example.com/1'
    const pluginId = await publish({ description: 'Old', url })
    const renamed = await update(pluginId, { name: 'New', url })
    expect(renamed).toMatchObject({ name: 'New', status: 'published', secret: mask, version: 4 })
    expect(renamed).not.toHaveProperty('description')
    const moved = await update(pluginId, { url: 'https://elsewhere.example.com' })
    expect(moved).toMatchObject({ status: 'reviewing', version: 5 })
  })

  test('[PLUGIN-6] are gone for good once they are deleted', async () => {
    const pluginId = await publish()
    await ada.api.plugins.deletePlugin({ pluginId })
    await expect(get(pluginId)).rejects.toMatchObject({ code: 'not_found' })
    const ids = [pluginId]
    expect(await bob.api.plugins.listInstallablePlugins({ ids })).toEqual([])
  })

  test('[PLUGIN-7][PLUGIN-8] go from status to status by whom it takes, and by no other way', async () => {
    const { id: pluginId } = await register()
    const { submitPlugin, unpublishPlugin } = ada.api.plugins
    const { publishPlugin, withdrawPlugin } = admin.api.plugins
    const statusAfter = async (call: (input: { pluginId: string }) => Promise<unknown>) => {
      await call({ pluginId })
      return (await get(pluginId)).status
    }
    const refused = async (code: string, ...calls: (() => Promise<unknown>)[]) => {
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code })
    }
    for (const person of [ada, bob]) {
      await refused('restricted_resource', ...reviewsOf(person, pluginId))
    }
    await refused('not_found', ...reviewsOf(admin, pluginId), () => get(pluginId, admin))
    await refused('conflict', () => unpublishPlugin({ pluginId }))
    expect(await statusAfter(submitPlugin)).toBe('reviewing')
    expect(await get(pluginId, admin)).toMatchObject({ id: pluginId, secret: mask })
    await refused('conflict', () => submitPlugin({ pluginId }))
    expect(await statusAfter(withdrawPlugin)).toBe('developing')
    expect(await statusAfter(submitPlugin)).toBe('reviewing')
    expect(await statusAfter(unpublishPlugin)).toBe('developing')
    expect(await statusAfter(submitPlugin)).toBe('reviewing')
    expect(await statusAfter(publishPlugin)).toBe('published')
    await refused(
      'conflict',
      () => publishPlugin({ pluginId }),
      () => submitPlugin({ pluginId }),
    )
    expect(await statusAfter(withdrawPlugin)).toBe('developing')
  })

  test('[PLUGIN-9] are published so many at most', async () => {
    await withLimits({ publishedPlugins: 1 }, async () => {
      await publish()
      await expect(publish()).rejects.toMatchObject({ code: 'restricted_resource' })
    })
  })

  test('[PLUGIN-9] are published so many at most however many are at one time', async () => {
    await withLimits({ publishedPlugins: 2 }, async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, async () => (await register()).id))
      for (const pluginId of ids) await ada.api.plugins.submitPlugin({ pluginId })
      const published = await Promise.allSettled(
        ids.map((pluginId) => admin.api.plugins.publishPlugin({ pluginId })),
      )
      expect(published.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    })
  })

  test('[PLUGIN-10] are found by those who may install them', async () => {
    const published = await publish({ positions: ['view'] })
    const { id: own } = await register()
    const list = ({ api }: Person, input = {}) => api.plugins.listInstallablePlugins(input)
    const idsFor = async (person: Person, input = {}) =>
      (await list(person, input)).map(({ id }) => id)
    const shipped = ['plgchart', 'plgcontextexample']
    expect(await idsFor(ada)).toEqual([...shipped, published, own])
    expect(await idsFor(bob)).toEqual([...shipped, published])
    expect(await idsFor(ada, { positions: ['panel', 'view'] })).toEqual([
      ...['plgchart', published, own],
    ])
    expect(await idsFor(ada, { positions: ['panel'], ids: [own, published, 'plgNone'] })).toEqual([
      own,
    ])
    const [chart, , shown] = await list(bob)
    expect(chart?.createdBy).toEqual({ id: '(gateleg)', name: 'Gateleg' })
    expect(chart?.logo).toMatch(/^data:image\/svg\+xml,/)
    expect(shown?.createdBy).toEqual({ id: ada.userId, name: 'ada', avatar: expect.any(String) })
    expect(JSON.stringify(await list(bob))).not.toContain(ada.email)
    const { token } = await ada.api.accessTokens.createToken({
      ...{ name: 'x', scopes: [...actions], hasFullAccess: true, expiredTime: '2999-01-01' },
    })
    const actor = await world.engine.authenticate(token)
    const byToken = { ...ada, api: world.engine.as(actor as never) }
    expect(await idsFor(byToken)).toEqual([...shipped, published])
    await expect(list(ada, { ids: Array(101).fill('x') })).rejects.toMatchObject(invalidAt('ids'))
  })

  test('[PLUGIN-11] that ship with the product are changed by nobody', async () => {
    for (const pluginId of ['plgchart', 'plgcontextexample']) {
      for (const call of [...changesOf(admin, pluginId), ...reviewsOf(admin, pluginId)]) {
        await expect(call()).rejects.toMatchObject({ code: 'restricted_resource' })
      }
    }
  })

  test('[PLUGIN-11] that ship with the product have their pages where the service is', async () => {
    const ids = ['plgchart', 'plgcontextexample']
    const listed = await ada.api.plugins.listInstallablePlugins({ ids })
    expect(listed.map(({ url }) => url)).toEqual(['/plugins/chart', '/plugins/records'])
    const publicUrl = 'https://data.example.com/of'
    const urls = [...shippedPlugins.values()].map((plugin) => pageUrlOf(plugin, { publicUrl }))
    expect(urls).toEqual([`${publicUrl}/plugins/chart`, `${publicUrl}/plugins/records`])
    const ofOthers = { url: 'https://maps.example.com' }
    expect(pageUrlOf(ofOthers, { publicUrl })).toBe(ofOthers.url)
  })

  test('[PLUGIN-12] are there for those who may install them, at positions that they are made for', async () => {
    const published = await publish()
    const { id: own } = await register()
    const find = (pluginId: string, { userId }: Person, position: PluginPosition = 'panel') =>
      world.engine.store.read((tx) => requireInstallable(tx, { pluginId, userId, position }))
    for (const [pluginId, person] of [
      [own, bob],
      [own, admin],
      ['plgNone', ada],
    ] as const) {
      await expect(find(pluginId, person)).rejects.toMatchObject({ code: 'not_found' })
    }
    for (const pluginId of [own, published, 'plgchart']) {
      expect(await find(pluginId, ada)).toMatchObject({ id: pluginId })
      await expect(find(pluginId, ada, 'view')).rejects.toMatchObject(invalidAt('pluginId'))
    }
    expect(await find(published, bob)).toMatchObject({ id: published })
  })

  test('[PLUGIN-13] get no user of their own', async () => {
    const asked = register({ autoCreateMember: true })
    await expect(asked).rejects.toMatchObject(invalidAt('autoCreateMember'))
    await register({ autoCreateMember: false })
  })

  test('[PLUGIN-14] are changed only as the caller knows them', async () => {
    const { id: pluginId } = await register()
    const other = { ifMatch: [2] }
    const calls = [
      () => ada.api.plugins.updatePlugin({ ...maps, pluginId }, other),
      () => ada.api.plugins.submitPlugin({ pluginId }, other),
      () => ada.api.plugins.deletePlugin({ pluginId }, other),
    ]
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: 'precondition_failed' })
    }
    expect(await update(pluginId)).toMatchObject({ version: 2 })
    // What was looked at may have another page by now, even where it was taken back and handed in again.
    await ada.api.plugins.submitPlugin({ pluginId })
    const { version = 0 } = await get(pluginId, admin)
    await ada.api.plugins.unpublishPlugin({ pluginId })
    await update(pluginId, { url: 'https://elsewhere.example.com' })
    await ada.api.plugins.submitPlugin({ pluginId })
    const publishing = admin.api.plugins.publishPlugin({ pluginId }, { ifMatch: [version] })
    await expect(publishing).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await get(pluginId)).toMatchObject({ status: 'reviewing' })
  })

  test('[PLUGIN-15] show their page where they are installed as long as who did that may use them', async () => {
    const url = 'https://maps.example.com/1'
    const moved = 'https://elsewhere.example.com'
    const sent = { url, config: { wide: true }, positions: ['dashboard', 'view', 'contextMenu'] }
    const pluginId = await publish(sent)
    /** Puts the plugin everywhere in a base of the person's. Answers how to see what shows there. */
    const installBy = async ({ api, spaceId }: Person) => {
      const { id: baseId } = await api.bases.createBase({ spaceId })
      const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
      const { id: dashboardId } = await api.dashboards.createDashboard({ baseId, name: 'Board' })
      await api.dashboards.installOnDashboard({ baseId, dashboardId, pluginId, name: 'Maps' })
      const { viewId } = await api.pluginViews.installAsView({ tableId, pluginId })
      const { contextMenus } = api
      const { pluginInstallId } = await contextMenus.installInContextMenu({ tableId, pluginId })
      return async () => {
        const { pluginMap = {} } = await api.dashboards.getDashboard({ baseId, dashboardId })
        const view = await api.pluginViews.getViewInstall({ tableId, viewId })
        const [entry] = await contextMenus.listContextMenu({ tableId })
        const menu = await contextMenus.getContextMenuEntry({ tableId, pluginInstallId })
        const urls = [...Object.values(pluginMap), view, menu].map((one) => one.url)
        return { urls, logo: entry?.logo, config: menu.config }
      }
    }
    const page = (at: string) => ({ urls: [at, at, at], logo: maps.logo, config: { wide: true } })
    const noPage = {
      ...{ urls: [undefined, undefined, undefined], config: undefined },
      logo: expect.stringMatching(/^data:image\/svg\+xml,/),
    }
    const seenByBob = await installBy(bob)
    const seenByAda = await installBy(ada)
    expect(await seenByBob()).toEqual(page(url))
    await update(pluginId, { ...sent, url: moved })
    expect(await seenByBob()).toEqual(noPage)
    expect(await seenByAda()).toEqual(page(moved))
    await admin.api.plugins.publishPlugin({ pluginId })
    expect(await seenByBob()).toEqual(page(moved))
    await admin.api.plugins.withdrawPlugin({ pluginId })
    expect(await seenByBob()).toEqual(noPage)
  })
})

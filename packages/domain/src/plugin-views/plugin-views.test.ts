import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { mapPlugin } from '@gateleg/testing/worlds/place'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

const notFound = { code: 'not_found' }

describeOnEveryStorage('plugin views', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tableId: string
  let pluginId: string

  beforeAll(async () => {
    pluginId = (await world.api.plugins.createPlugin(mapPlugin)).id
  })
  beforeEach(async () => {
    tableId = (await world.api.tables.createTable({ baseId: world.baseId })).id
  })

  const api = () => world.api.pluginViews
  const install = (name?: string) =>
    api().installAsView({ tableId, pluginId, ...(name !== undefined && { name }) })
  const kept = (viewId: string) =>
    world.engine.store.read((tx) => tx.pluginInstalls.listWholeAt(viewId))

  test('[PLUGVIEW-1] take plugins that are there for the caller, and made for views', async () => {
    const bob = await world.newCollaborator(`Bob${tableId}`, 'creator')
    const theirs = await bob.api.plugins.createPlugin(mapPlugin)
    for (const [of, refusal] of [
      ['plgNone', notFound],
      [theirs.id, notFound],
      ['plgchart', { code: 'validation_error', data: { issues: [{ path: ['pluginId'] }] } }],
    ] as const) {
      const call = () => api().installAsView({ tableId, pluginId: of })
      await world.expectNoTrace(call, refusal)
    }
    const theirView = { tableId, pluginId: theirs.id }
    const { viewId } = await bob.api.pluginViews.installAsView(theirView)
    expect(await api().getViewInstall({ tableId, viewId })).toMatchObject({ pluginId: theirs.id })
  })

  test('[PLUGVIEW-2] come last, under their own name or a numbered one', async () => {
    const made = await install()
    expect(made).toEqual({
      viewId: expect.stringMatching(/^viw\w{16}$/),
      pluginInstallId: expect.stringMatching(/^pli\w{16}$/),
      ...{ pluginId, name: 'Map', version: 1 },
    })
    expect(await install()).toMatchObject({ name: 'Map 2' })
    await install('Where')
    const views = await world.api.views.listViews({ tableId })
    expect(views.slice(1).map(({ name }) => name)).toEqual(['Map', 'Map 2', 'Where'])
    const { viewId, pluginInstallId } = made
    const view = { tableId, viewId }
    expect(views[1]).toMatchObject({
      ...{ id: viewId, type: 'plugin', pluginId },
      options: { pluginId, pluginInstallId, pluginLogo: mapPlugin.logo },
    })
    await world.api.views.renameView({ ...view, name: 'Elsewhere' })
    expect(await api().getViewInstall(view)).toMatchObject({ name: 'Elsewhere' })
    const [field] = await world.api.fields.listFields({ tableId })
    const columnMeta = [{ fieldId: field?.id ?? '', columnMeta: { order: 7 } }]
    await world.api.views.setColumnMeta({ ...view, columnMeta })
    for (const options of [{ pluginId: 'plgOther' }, { pluginInstallId: null }]) {
      const call = () => world.api.views.setViewOptions({ ...view, options })
      await world.expectNoTrace(call, { code: 'validation_error' })
    }
    const records = await world.api.records.listRecords({ ...view, take: 2 })
    expect(records.records).toHaveLength(2)
    const heard = await world.heard(() => install())
    expect(heard.map((event) => (event as { name: string }).name)).toEqual([
      'view.created',
      'plugin_install.created',
    ])
  })

  test('[PLUGVIEW-3] are read by their view', async () => {
    const { viewId } = await install()
    const [grid] = await world.api.views.listViews({ tableId })
    const { id: elsewhere } = await world.api.tables.createTable({ baseId: world.baseId })
    const get = (view: object) => api().getViewInstall({ tableId, viewId, ...view })
    await expect(get({ viewId: grid?.id })).rejects.toMatchObject(notFound)
    for (const view of [{ viewId: 'viwNone' }, { tableId: elsewhere }]) {
      await expect(get(view)).rejects.toMatchObject({ code: 'view_not_found' })
    }
    const viewer = await world.newCollaborator(`V${tableId}`, 'viewer')
    const shown = await viewer.api.pluginViews.getViewInstall({ tableId, viewId })
    expect(shown).toMatchObject({ baseId: world.baseId, pluginId, name: 'Map' })
    expect(shown).not.toHaveProperty('storage')
  })

  test('[PLUGVIEW-4] keep what their plugin sends, unless they are locked', async () => {
    const { viewId, pluginInstallId } = await install()
    const other = await install()
    const view = { tableId, viewId }
    const save = (storage: unknown, of = pluginInstallId) =>
      api().setViewStorage({ ...view, pluginInstallId: of, storage } as never)
    for (const of of ['pliNone', other.pluginInstallId]) {
      await world.expectNoTrace(() => save({}, of), notFound)
    }
    const tooLong = { text: 'x'.repeat(limits.pluginStorageBytes) }
    for (const sent of [tooLong, [], 'x']) {
      await world.expectNoTrace(() => save(sent), { code: 'validation_error' })
    }
    const viewer = await world.newCollaborator(`V${tableId}`, 'viewer')
    const byViewer = () =>
      viewer.api.pluginViews.setViewStorage({ ...view, pluginInstallId, storage: {} })
    await world.expectNoTrace(byViewer, { code: 'restricted_resource' })
    const storage = { zoom: 12 }
    const saved = { ...view, pluginInstallId, storage, version: 2 }
    expect(await save(storage)).toEqual(saved)
    expect(await api().getViewInstall(view)).toMatchObject({ storage })
    await world.api.views.lockView({ ...view, isLocked: true })
    await world.expectNoTrace(() => save({}), { code: 'restricted_resource' })
    await world.api.views.lockView({ ...view, isLocked: false })
    await save(undefined)
    expect(await api().getViewInstall(view)).not.toHaveProperty('storage')
  })

  test('[PLUGVIEW-5] are copied with what their plugin keeps', async () => {
    const { viewId, pluginInstallId } = await install()
    const storage = { at: viewId, of: pluginInstallId, table: tableId }
    await api().setViewStorage({ tableId, viewId, pluginInstallId, storage })
    const copy = await world.api.views.duplicateView({ tableId, viewId })
    const check = async (table: string, view: { id: string; options: object }) => {
      const of = { tableId: table, viewId: view.id }
      const { pluginInstallId: id, ...shown } = await api().getViewInstall(of)
      expect(id).not.toBe(pluginInstallId)
      expect(view.options).toMatchObject({ pluginInstallId: id, pluginId })
      expect(shown).toMatchObject({
        ...{ pluginId, version: 1 },
        storage: { at: view.id, of: id, table },
      })
    }
    await check(tableId, copy)
    const node = { baseId: world.baseId, nodeId: tableId }
    const { resourceId } = await world.api.tree.duplicateNode(node)
    const views = await world.api.views.listViews({ tableId: resourceId })
    const copies = views.filter(({ type }) => type === 'plugin')
    expect(copies).toHaveLength(2)
    for (const view of copies) await check(resourceId, view)
    expect(await api().getViewInstall({ tableId, viewId })).toMatchObject({ storage })
  })

  test('[PLUGVIEW-6] take their install to the trash, back, and away', async () => {
    const { viewId, pluginInstallId } = await install()
    const view = { tableId, viewId }
    await api().setViewStorage({ ...view, pluginInstallId, storage: { zoom: 12 } })
    const before = await api().getViewInstall(view)
    const inTrash = { resourceType: 'table', resourceId: tableId } as const
    await world.api.views.deleteView(view)
    await expect(api().getViewInstall(view)).rejects.toMatchObject({ code: 'view_not_found' })
    const { trashItems } = await world.api.trash.listTrashItems(inTrash)
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    expect(await api().getViewInstall(view)).toEqual(before)
    await world.api.views.deleteView(view)
    await world.api.trash.resetTrash(inTrash)
    await world.finishJobs()
    expect(await kept(viewId)).toEqual([])
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { limits } from '../limits.ts'

describeOnEveryStorage('plugin panels', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let tableId: string

  beforeEach(async () => {
    tableId = (await world.api.tables.createTable({ baseId: world.baseId })).id
  })

  const panels = () => world.api.pluginPanels
  const create = (name = 'Panel') => panels().createPanel({ tableId, name })
  const list = async () => (await panels().listPanels({ tableId })).map(({ name }) => name)

  test('[PANEL-1] refuses names that are blank, too long, or none', async () => {
    const { id: pluginPanelId } = await create()
    for (const name of ['', '  ', 'x'.repeat(101), 7, undefined]) {
      const refusal = { code: 'validation_error', data: { issues: [{ path: ['name'] }] } }
      const sent = { tableId, pluginPanelId, name } as never
      await world.expectNoTrace(() => panels().createPanel(sent), refusal)
      await world.expectNoTrace(() => panels().renamePanel(sent), refusal)
      if (name === undefined) continue
      await world.expectNoTrace(() => panels().duplicatePanel(sent), refusal)
    }
  })

  test('[PANEL-1] are listed oldest first, renamed, copied and deleted', async () => {
    for (const name of [' One ', 'Two', 'One']) {
      world.clock.advance(1)
      await create(name)
    }
    expect(await list()).toEqual(['One', 'Two', 'One'])
    world.clock.advance(1)
    const made = await create('Last')
    expect(made).toEqual({ id: expect.stringMatching(/^plp\w{16}$/), name: 'Last', version: 1 })
    const of = { tableId, pluginPanelId: made.id }
    const renamed = { id: made.id, name: 'Renamed', version: 2 }
    expect(await panels().renamePanel({ ...of, name: ' Renamed ' })).toEqual(renamed)
    expect(await panels().getPanel(of)).toEqual(renamed)
    world.clock.advance(1)
    expect(await panels().duplicatePanel(of)).toMatchObject({ name: 'Renamed 2', version: 1 })
    world.clock.advance(1)
    await panels().duplicatePanel({ ...of, name: 'One' })
    await panels().deletePanel(of)
    expect(await list()).toEqual(['One', 'Two', 'One', 'Renamed 2', 'One'])
  })

  test('[PANEL-2] are found in their table alone', async () => {
    const { id: pluginPanelId } = await create()
    const { id: elsewhere } = await world.api.tables.createTable({ baseId: world.baseId })
    const { id: gone } = await create()
    await panels().deletePanel({ tableId, pluginPanelId: gone })
    for (const of of [
      { tableId: elsewhere, pluginPanelId },
      { tableId, pluginPanelId: gone },
      { tableId, pluginPanelId: 'plpNone' },
      { tableId: 'tblNone', pluginPanelId },
    ]) {
      for (const call of [
        () => panels().getPanel(of),
        () => panels().renamePanel({ ...of, name: 'x' }),
        () => panels().setPanelLayout({ ...of, layout: [] }),
        () => panels().duplicatePanel(of),
        () => panels().deletePanel(of),
        () => panels().installOnPanel({ ...of, pluginId: 'plgchart' }),
      ]) {
        await world.expectNoTrace(call, { code: 'not_found' })
      }
    }
  })

  test('[PANEL-3] are read by viewers and changed by creators', async () => {
    const { id: pluginPanelId } = await create()
    const of = { tableId, pluginPanelId }
    const viewer = (await world.newCollaborator(`V${tableId}`, 'viewer')).api.pluginPanels
    const stranger = (await world.newPerson(`S${tableId}`)).api.pluginPanels
    await expect(stranger.getPanel(of)).rejects.toMatchObject({ code: 'not_found' })
    expect(await viewer.getPanel(of)).toMatchObject({ name: 'Panel' })
    expect(await viewer.listPanels({ tableId })).toHaveLength(1)
    for (const call of [
      () => viewer.createPanel({ tableId, name: 'x' }),
      () => viewer.renamePanel({ ...of, name: 'x' }),
      () => viewer.setPanelLayout({ ...of, layout: [] }),
      () => viewer.duplicatePanel(of),
      () => viewer.deletePanel(of),
      () => viewer.installOnPanel({ ...of, pluginId: 'plgchart' }),
    ]) {
      await world.expectNoTrace(call, { code: 'restricted_resource' })
    }
    const creator = await world.newCollaborator(`C${tableId}`, 'creator')
    await creator.api.pluginPanels.deletePanel(of)
    expect(await list()).toEqual([])
  })

  test('[ACCESS-10] are copied by tokens alone that may read them, with what is on them', async () => {
    const { id: pluginPanelId } = await create()
    const of = { tableId, pluginPanelId }
    const { pluginInstallId } = await panels().installOnPanel({ ...of, pluginId: 'plgchart' })
    const by = (...scopes: readonly Action[]) => {
      const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
      return world.engine.as({ ...actor, scopes: new Set(scopes) }).pluginPanels
    }
    const blind = by('table|update')
    const refusal = { code: 'restricted_resource' }
    await world.expectNoTrace(() => blind.duplicatePanel(of), refusal)
    const install = { ...of, pluginInstallId }
    await world.expectNoTrace(() => blind.duplicatePanelInstall(install), refusal)
    const seeing = by('table|update', 'table|read')
    expect(await seeing.duplicatePanel(of)).toMatchObject({ name: 'Panel 2' })
    expect(await seeing.duplicatePanelInstall(install)).toMatchObject({ name: 'Chart 2' })
  })

  test('[PANEL-4] are so many at most of a table', async () => {
    expect(limits.panelsPerTable).toBe(20)
    await withLimits({ panelsPerTable: 2 }, async () => {
      const { id: pluginPanelId } = await create()
      await create()
      const refusal = {
        code: 'validation_error',
        message: expect.stringContaining('delete one first'),
      }
      await world.expectNoTrace(() => create(), refusal)
      await world.expectNoTrace(() => panels().duplicatePanel({ tableId, pluginPanelId }), refusal)
    })
  })

  test('[PANEL-5] go for good with all that is on them', async () => {
    const { id: pluginPanelId } = await create()
    const of = { tableId, pluginPanelId }
    await panels().installOnPanel({ ...of, pluginId: 'plgchart' })
    await panels().deletePanel(of)
    const left = await world.engine.store.read((tx) => tx.pluginInstalls.listWholeIn(tableId))
    expect(left).toEqual([])
    const inTrash = { resourceType: 'table', resourceId: tableId } as const
    expect((await world.api.trash.listTrashItems(inTrash)).trashItems).toEqual([])
  })

  test('[PANEL-6] tell what happened to them', async () => {
    const names = async (call: () => Promise<unknown>) =>
      (await world.heard(call)) as readonly { name: string; pluginPanelId: string }[]
    const [made, ...more] = await names(() => create())
    expect(made).toMatchObject({ name: 'plugin_panel.created', tableId })
    expect(more).toEqual([])
    const of = { tableId, pluginPanelId: made?.pluginPanelId ?? '' }
    expect(await names(() => panels().renamePanel({ ...of, name: 'x' }))).toMatchObject([
      { name: 'plugin_panel.updated', ...of },
    ])
    expect(await names(() => panels().renamePanel({ ...of, name: 'x' }))).toEqual([])
    expect(await names(() => panels().deletePanel(of))).toMatchObject([
      { name: 'plugin_panel.deleted', ...of },
    ])
  })

  test('[BOARD-16] come along with a copy of their table', async () => {
    const { baseId } = world
    const { id: pluginPanelId } = await create()
    const of = { tableId, pluginPanelId }
    const { pluginInstallId } = await panels().installOnPanel({ ...of, pluginId: 'plgchart' })
    const storage = { query: { from: tableId } }
    await panels().setPanelStorage({ ...of, pluginInstallId, storage })
    const { resourceId: copyId } = await world.api.tree.duplicateNode({ baseId, nodeId: tableId })
    const [copy] = await panels().listPanels({ tableId: copyId })
    const panel = { tableId: copyId, pluginPanelId: copy?.id ?? '' }
    const { layout = [] } = await panels().getPanel(panel)
    const [item] = layout
    const install = { ...panel, pluginInstallId: item?.pluginInstallId ?? '' }
    expect(await panels().getPanelInstall(install)).toMatchObject({
      ...{ name: 'Chart', pluginInstallId: install.pluginInstallId },
      storage: { query: { from: copyId } },
    })
    expect(await panels().getPanelInstall({ ...of, pluginInstallId })).toMatchObject({ storage })
  })
})

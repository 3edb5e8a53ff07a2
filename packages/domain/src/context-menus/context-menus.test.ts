import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { roles } from '../access/roles.ts'
import { limits } from '../limits.ts'

const pluginId = 'plgcontextexample'

describeOnEveryStorage('context menus', (storage) => {
  let world: World
  let ada: Person
  let baseId: string
  let tableId: string

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId })).id
    tableId = (await ada.api.tables.createTable({ baseId, records: [] })).id
  })
  afterEach(() => world.close())

  const install = (sent: object = {}, { api }: Person = ada) =>
    api.contextMenus.installInContextMenu({ tableId, pluginId, ...sent })
  const list = ({ api }: Person = ada, ofTable = tableId) =>
    api.contextMenus.listContextMenu({ tableId: ofTable })
  const names = async (ofTable = tableId) => (await list(ada, ofTable)).map(({ name }) => name)

  /** All that is done to one entry. */
  const changesOf = ({ api: { contextMenus } }: Person, entry: Entry) => [
    () => contextMenus.renameContextMenuEntry({ ...entry, name: 'x' }),
    () => contextMenus.moveContextMenuEntry({ ...entry, anchorId: 'x', position: 'after' }),
    () => contextMenus.setContextMenuStorage({ ...entry, storage: {} }),
    () => contextMenus.removeFromContextMenu(entry),
  ]
  const readsOf = ({ api: { contextMenus } }: Person, entry: Entry) => [
    () => contextMenus.getContextMenuEntry(entry),
    () => contextMenus.getContextMenuStorage(entry),
  ]

  test('[MENU-1] are there for those who see the table, and changed by who may update it', async () => {
    const { pluginInstallId } = await install()
    const entry = { tableId, pluginInstallId }
    const bob = await world.newPerson('Bob')
    const refuse = async (code: string, ...calls: (() => Promise<unknown>)[]) => {
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code })
    }
    const changes = [() => install({}, bob), ...changesOf(bob, entry)]
    await refuse('not_found', () => list(bob), ...readsOf(bob, entry), ...changes)
    for (const role of roles.filter((one) => one === 'editor' || one === 'viewer')) {
      const carl = await world.newPerson(role)
      const collaborators = [{ principalId: carl.userId, principalType: 'user' as const }]
      await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role })
      await refuse('restricted_resource', () => install({}, carl), ...changesOf(carl, entry))
      expect(await list(carl)).toHaveLength(1)
      for (const read of readsOf(carl, entry)) await read()
    }
  })

  test('[MENU-1][MENU-2] take plugins in behind all others, under a name of their own or of the plugin', async () => {
    const first = await install()
    expect(first).toMatchObject({ name: 'Record statistics', order: 1, version: 1 })
    expect(first.pluginInstallId).toMatch(/^pli[0-9A-Za-z]{16}$/)
    expect(await install({ name: ' Mine ' })).toMatchObject({ name: 'Mine', order: 2 })
    await expect(install({ pluginId: 'plgNone' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(install({ pluginId: 'plgchart' })).rejects.toMatchObject(invalidAt('pluginId'))
    expect(limits.installsPerBoard).toBe(40)
    await withLimits({ installsPerBoard: 2 }, async () => {
      await expect(install()).rejects.toMatchObject({ code: 'validation_error' })
    })
  })

  test('[MENU-3][MENU-4] list entries in their order, which they are moved in', async () => {
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await install({ name })).pluginInstallId)
    const [a = '', b = '', c = ''] = ids
    const move = (pluginInstallId: string, position: 'before' | 'after', anchorId: string) =>
      ada.api.contextMenus.moveContextMenuEntry({ tableId, pluginInstallId, anchorId, position })
    const [shown] = await list()
    expect(shown).toEqual({
      ...{ pluginInstallId: a, name: 'A', pluginId, order: 1 },
      logo: expect.stringMatching(/^data:image\/svg\+xml,/),
    })
    await move(c, 'before', b)
    expect(await names()).toEqual(['A', 'C', 'B'])
    expect((await list()).map(({ order }) => order)).toEqual([1, 1.5, 2])
    // Until no numbers are left between two.
    for (let turn = 0; turn < 60; turn++) await move(turn % 2 ? b : c, 'after', a)
    expect(await names()).toEqual(['A', 'B', 'C'])
    await move(b, 'after', a)
    await expect(move(a, 'after', a)).rejects.toMatchObject(invalidAt('anchorId'))
    const foreign = await ada.api.tables.createTable({ baseId, records: [] })
    const other = await install({ tableId: foreign.id })
    for (const anchor of ['pliNone', other.pluginInstallId]) {
      await expect(move(a, 'after', anchor)).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('[MENU-5][MENU-6] tell of an entry in its table, and keep what its plugin holds', async () => {
    const url = 'https://slips.example.com'
    const config = { contextMenu: { width: 400 } }
    const plugin = await ada.api.plugins.createPlugin({
      ...{ name: 'Slips', logo: `${url}/logo.png`, url, config, positions: ['contextMenu'] },
    })
    const { pluginInstallId } = await install({ pluginId: plugin.id })
    const entry = { tableId, pluginInstallId }
    const { contextMenus } = ada.api
    const shown = { ...entry, name: 'Slips', pluginId: plugin.id }
    expect(await contextMenus.getContextMenuEntry(entry)).toEqual({
      ...{ ...shown, positionId: tableId, url, config, version: 1 },
    })
    expect(await contextMenus.getContextMenuStorage(entry)).toEqual({
      ...{ ...shown, storage: {}, version: 1 },
    })
    const storage = { query: { from: tableId } }
    const set = { ...entry, storage, version: 2 }
    expect(await contextMenus.setContextMenuStorage({ ...entry, storage })).toEqual(set)
    expect(await contextMenus.getContextMenuStorage(entry)).toEqual({
      ...shown,
      storage,
      version: 2,
    })
    expect(await contextMenus.setContextMenuStorage(entry)).toEqual({ ...entry, version: 3 })
    const large = { text: 'x'.repeat(limits.pluginStorageBytes) }
    const tooLarge = contextMenus.setContextMenuStorage({ ...entry, storage: large })
    await expect(tooLarge).rejects.toMatchObject(invalidAt('storage'))
    const { id: otherId } = await ada.api.tables.createTable({ baseId, records: [] })
    const elsewhere = { ...entry, tableId: otherId }
    for (const call of [...readsOf(ada, elsewhere), ...changesOf(ada, elsewhere)]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    }
    await contextMenus.removeFromContextMenu(entry)
    expect(await list()).toEqual([])
  })

  test('[MENU-7] keep entries whose plugin is gone', async () => {
    const sent = { name: 'Slips', logo: 'https://a.example/l.png', url: 'https://a.example' }
    const plugin = await ada.api.plugins.createPlugin({ ...sent, positions: ['contextMenu'] })
    const { pluginInstallId } = await install({ pluginId: plugin.id })
    await ada.api.plugins.deletePlugin({ pluginId: plugin.id })
    const [shown] = await list()
    expect(shown).toMatchObject({ name: 'Slips', pluginId: plugin.id })
    expect(shown?.logo).toMatch(/^data:image\/svg\+xml,/)
    const entry = { tableId, pluginInstallId }
    expect(await ada.api.contextMenus.getContextMenuEntry(entry)).not.toHaveProperty('url')
    await ada.api.contextMenus.removeFromContextMenu(entry)
  })

  test('[MENU-8] go with their table, come back with it, and are copied with it', async () => {
    const { pluginInstallId } = await install({ name: 'Mine' })
    const storage = { from: tableId }
    await ada.api.contextMenus.setContextMenuStorage({ tableId, pluginInstallId, storage })
    const copies = [
      (await ada.api.tree.duplicateNode({ baseId, nodeId: tableId })).resourceId,
      await copyOfBase(),
    ]
    for (const copyId of copies) {
      const [copied] = await list(ada, copyId)
      expect(copied).toMatchObject({ name: 'Mine', pluginId, order: 1 })
      expect(copied?.pluginInstallId).not.toBe(pluginInstallId)
      const entry = { tableId: copyId, pluginInstallId: copied?.pluginInstallId ?? '' }
      const kept = await ada.api.contextMenus.getContextMenuStorage(entry)
      expect(kept.storage).toEqual({ from: copyId })
    }
    await ada.api.tables.deleteTable({ baseId, tableId })
    await expect(list()).rejects.toMatchObject({ code: 'not_found' })
    const ofBase = { resourceId: baseId, resourceType: 'base' as const }
    const { trashItems } = await ada.api.trash.listTrashItems(ofBase)
    await ada.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    expect(await names()).toEqual(['Mine'])
    await ada.api.tables.deleteTablePermanently({ baseId, tableId })
    const left = await world.engine.store.read((tx) => tx.pluginInstalls.find(pluginInstallId))
    expect(left).toBeUndefined()
  })

  /** The table of a copy of the base. */
  async function copyOfBase(): Promise<string> {
    const { spaceId } = ada
    const copy = await ada.api.bases.duplicateBase({ fromBaseId: baseId, spaceId })
    const tables = await ada.api.tables.listTables({ baseId: copy.id })
    return tables[0]?.id ?? ''
  }

  test('[MENU-9] are changed only as the caller knows them', async () => {
    const { pluginInstallId } = await install()
    const { contextMenus } = ada.api
    const entry = { tableId, pluginInstallId, name: 'New' }
    const late = contextMenus.renameContextMenuEntry(entry, { ifMatch: [2] })
    await expect(late).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await contextMenus.renameContextMenuEntry(entry, { ifMatch: [1] })).toEqual({
      ...{ pluginInstallId, name: 'New', version: 2 },
    })
    expect(await contextMenus.renameContextMenuEntry(entry)).toMatchObject({ version: 2 })
  })

  test('[MENU-9] count each change of their order', async () => {
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push((await install({ name })).pluginInstallId)
    const [anchorId = '', b = '', c = ''] = ids
    const entries = () => world.engine.store.read((tx) => tx.pluginInstalls.listAt(tableId))
    let renumbered = 0
    for (let turn = 0; turn < 60; turn++) {
      const before = new Map((await entries()).map((entry) => [entry.id, entry]))
      const entry = { tableId, pluginInstallId: turn % 2 ? b : c }
      await ada.api.contextMenus.moveContextMenuEntry({ ...entry, anchorId, position: 'after' })
      for (const { id, order, version } of await entries()) {
        const isChanged = order !== before.get(id)?.order
        expect(version).toBe((before.get(id)?.version ?? 0) + (isChanged ? 1 : 0))
        if (isChanged && id !== entry.pluginInstallId) renumbered++
      }
    }
    expect(renumbered).toBeGreaterThan(0)
  })
})

interface Entry {
  readonly tableId: string
  readonly pluginInstallId: string
}

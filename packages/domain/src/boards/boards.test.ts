import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'

type Layout = readonly {
  readonly pluginInstallId: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}[]

/** The operations on boards of one kind, whatever they are called. */
interface BoardApi {
  create(name: string): Promise<{ readonly id: string; readonly version: number }>
  get(id: string): Promise<{
    readonly name: string
    readonly layout?: Layout | undefined
    readonly pluginMap?: Readonly<Record<string, { readonly name: string }>> | undefined
    readonly version: number
  }>
  duplicate(id: string): Promise<{ readonly id: string; readonly name: string }>
  arrange(id: string, layout: unknown): Promise<{ readonly version: number }>
  install(
    id: string,
    pluginId: string,
    name?: string,
  ): Promise<{ readonly pluginInstallId: string }>
  getInstall(id: string, pluginInstallId: string): Promise<Readonly<Record<string, unknown>>>
  rename(id: string, pluginInstallId: string, name: string): Promise<{ readonly version: number }>
  store(id: string, pluginInstallId: string, storage?: unknown): Promise<unknown>
  copyInstall(
    id: string,
    pluginInstallId: string,
  ): Promise<{ readonly id: string; readonly name: string }>
  uninstall(id: string, pluginInstallId: string): Promise<unknown>
}

function onDashboards({ dashboards }: Person['api'], baseId: string): BoardApi {
  const one = (dashboardId: string) => ({ baseId, dashboardId })
  const install = (id: string, pluginInstallId: string) => ({ ...one(id), pluginInstallId })
  return {
    create: (name) => dashboards.createDashboard({ baseId, name }),
    get: (id) => dashboards.getDashboard(one(id)),
    duplicate: (id) => dashboards.duplicateDashboard(one(id)),
    arrange: (id, layout) => dashboards.setDashboardLayout({ ...one(id), layout } as never),
    install: (id, pluginId, name = 'Chart') =>
      dashboards.installOnDashboard({ ...one(id), pluginId, name }),
    getInstall: (id, of) => dashboards.getDashboardInstall(install(id, of)),
    rename: (id, of, name) => dashboards.renameDashboardInstall({ ...install(id, of), name }),
    store: (id, of, storage) =>
      dashboards.setDashboardStorage({ ...install(id, of), storage } as never),
    copyInstall: (id, of) => dashboards.duplicateDashboardInstall(install(id, of)),
    uninstall: (id, of) => dashboards.uninstallFromDashboard(install(id, of)),
  }
}

function onPanels({ pluginPanels }: Person['api'], tableId: string): BoardApi {
  const one = (pluginPanelId: string) => ({ tableId, pluginPanelId })
  const install = (id: string, pluginInstallId: string) => ({ ...one(id), pluginInstallId })
  return {
    create: (name) => pluginPanels.createPanel({ tableId, name }),
    get: (id) => pluginPanels.getPanel(one(id)),
    duplicate: (id) => pluginPanels.duplicatePanel(one(id)),
    arrange: (id, layout) => pluginPanels.setPanelLayout({ ...one(id), layout } as never),
    install: (id, pluginId, name) =>
      pluginPanels.installOnPanel({ ...one(id), pluginId, ...(name !== undefined && { name }) }),
    getInstall: (id, of) => pluginPanels.getPanelInstall(install(id, of)),
    rename: (id, of, name) => pluginPanels.renamePanelInstall({ ...install(id, of), name }),
    store: (id, of, storage) =>
      pluginPanels.setPanelStorage({ ...install(id, of), storage } as never),
    copyInstall: (id, of) => pluginPanels.duplicatePanelInstall(install(id, of)),
    uninstall: (id, of) => pluginPanels.uninstallFromPanel(install(id, of)),
  }
}

const notFound = { code: 'not_found' }
const chart = 'plgchart'
const last = Number.MAX_SAFE_INTEGER

describeOnEveryStorage('boards', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let baseId: string
  let tableId: string

  beforeEach(async () => {
    baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId })).id
    tableId = (await world.api.tables.createTable({ baseId, name: 'Books' })).id
  })

  const refusedAt = (...path: readonly (string | number)[]) => ({
    code: 'validation_error',
    data: { issues: [{ path, message: expect.any(String) }] },
  })
  /** Fails unless the call is refused so, and leaves all that is stored of the base as it was. */
  const expectNoTrace = async (call: () => Promise<unknown>, refusal: object) => {
    const before = await world.api.bases.verifyBase({ baseId })
    await expect(call()).rejects.toMatchObject(refusal)
    expect(await world.api.bases.verifyBase({ baseId })).toEqual(before)
  }
  const kept = (of: string) => world.engine.store.read((tx) => tx.pluginInstalls.listWholeAt(of))

  describe.each(['dashboards', 'panels'] as const)('%s', (kind) => {
    const apiOf = (person: Pick<Person, 'api'>) =>
      kind === 'dashboards' ? onDashboards(person.api, baseId) : onPanels(person.api, tableId)
    const api = () => apiOf(world)
    const place = (pluginInstallId: string, count: number) =>
      kind === 'dashboards'
        ? { pluginInstallId, x: (count * 2) % 12, y: last, w: 2, h: 2 }
        : { pluginInstallId, x: 0, y: last, w: 1, h: 3 }

    /** A board with charts on it, and their ids. */
    const withCharts = async (...names: readonly string[]) => {
      const { id } = await api().create('Board')
      const charts: string[] = []
      for (const name of names) charts.push((await api().install(id, chart, name)).pluginInstallId)
      return { id, charts, first: charts[0] ?? '' }
    }

    test('[BOARD-1] takes plugins that are published, the caller’s own, and made for it', async () => {
      const { id } = await api().create('Board')
      const bob = await world.newPerson(`Bob${baseId}`)
      const position = kind === 'dashboards' ? 'dashboard' : 'panel'
      const register = async (person: Pick<Person, 'api'>, position: 'dashboard' | 'panel') => {
        const logo = 'https://plugins.example.com/logo.png'
        const made = { name: 'Notes', logo, positions: [position] }
        return (await person.api.plugins.createPlugin(made)).id
      }
      const theirs = await register(bob, position)
      for (const pluginId of ['plgNone', theirs]) {
        await expectNoTrace(() => api().install(id, pluginId), notFound)
      }
      const elsewhere = await register(world, position === 'panel' ? 'dashboard' : 'panel')
      for (const pluginId of ['plgcontextexample', elsewhere]) {
        await expectNoTrace(() => api().install(id, pluginId), refusedAt('pluginId'))
      }
      const own = await register(world, position)
      const { pluginInstallId } = await api().install(id, own)
      expect(await api().getInstall(id, pluginInstallId)).toMatchObject({ pluginId: own })
      await world.api.plugins.deletePlugin({ pluginId: own })
      expect((await api().get(id)).pluginMap).toHaveProperty(pluginInstallId)
    })

    test('[BOARD-2] [BOARD-3] [BOARD-8] shows what is installed, each below all others', async () => {
      const { id } = await api().create('Board')
      expect(await api().get(id)).toEqual({ id, name: 'Board', version: 1 })
      const ids: string[] = []
      for (const name of ['One', 'One', 'Two', 'Two', 'Five', 'Six', undefined]) {
        const made = await api().install(id, chart, name)
        const { pluginInstallId } = made
        expect(pluginInstallId).toMatch(/^pli\w{16}$/)
        expect(made).toMatchObject({ pluginId: chart, name: name ?? 'Chart', version: 1 })
        ids.push(pluginInstallId)
      }
      const board = await api().get(id)
      expect(board.layout).toEqual(ids.map((of, index) => place(of, index)))
      expect(Object.keys(board.pluginMap ?? {}).toSorted()).toEqual(ids.toSorted())
      const [first = ''] = ids
      expect(board.pluginMap?.[first]).toMatchObject({
        ...{ id: chart, pluginInstallId: first, name: 'One' },
      })
      expect(board.version).toBe(8)
    })

    test('[BOARD-4] takes so many plugins at most', async () => {
      expect(limits.installsPerBoard).toBe(40)
      await withLimits({ installsPerBoard: 2 }, async () => {
        const { id, first } = await withCharts('One', 'Two')
        await expectNoTrace(() => api().install(id, chart), refusedAt())
        await expectNoTrace(() => api().copyInstall(id, first), refusedAt())
      })
    })

    test('[BOARD-18] has so many plugins in one base at most, copies among them', async () => {
      expect(limits.installsPerBase).toBe(1_000)
      await withLimits({ installsPerBase: 3 }, async () => {
        const { id, first } = await withCharts('One', 'Two')
        const { contextMenus, bases } = world.api
        await expectNoTrace(() => api().duplicate(id), refusedAt())
        await contextMenus.installInContextMenu({ tableId, pluginId: 'plgcontextexample' })
        const menu = { tableId, pluginId: 'plgcontextexample' }
        await expectNoTrace(() => contextMenus.installInContextMenu(menu), refusedAt())
        await expectNoTrace(() => api().install(id, chart), refusedAt())
        await expectNoTrace(() => api().copyInstall(id, first), refusedAt())
        await bases.duplicateBase({ fromBaseId: baseId, spaceId: world.ada.spaceId })
      })
    })

    test('[BOARD-5] arranges all that is installed at one time', async () => {
      const { id } = await api().create('Board')
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, number) => api().install(id, chart, `Chart ${number}`)),
      )
      const { layout, version } = await api().get(id)
      expect(layout?.map(({ pluginInstallId }) => pluginInstallId).toSorted()).toEqual(
        made.map(({ pluginInstallId }) => pluginInstallId).toSorted(),
      )
      expect(version).toBe(9)
    })

    test('[BOARD-6] finds installs on their own board alone', async () => {
      const { id, first } = await withCharts('One', 'Two')
      const { id: other } = await api().create('Other')
      const removed = (await api().install(id, chart)).pluginInstallId
      await api().uninstall(id, removed)
      for (const [board, of] of [
        [other, first],
        [id, removed],
        [id, 'pliNone'],
        ['dshNone', first],
      ] as const) {
        for (const call of [
          () => api().getInstall(board, of),
          () => api().rename(board, of, 'x'),
          () => api().store(board, of, {}),
          () => api().copyInstall(board, of),
          () => api().uninstall(board, of),
        ]) {
          await expectNoTrace(call, notFound)
        }
      }
    })

    test('[BOARD-7] takes a removed install from the layout, for good', async () => {
      const { id, charts, first } = await withCharts('One', 'Two')
      const { layout } = await api().get(id)
      await api().uninstall(id, first)
      const left = await api().get(id)
      expect(left.layout).toEqual(layout?.slice(1))
      expect(Object.keys(left.pluginMap ?? {})).toEqual([charts[1]])
      expect((await kept(id)).map(({ id: of }) => of)).toEqual([charts[1]])
      await api().uninstall(id, charts[1] ?? '')
      expect(await api().get(id)).toEqual({ id, name: 'Board', layout: [], version: 5 })
    })

    test('[BOARD-9] replaces its layout by one that names its own installs', async () => {
      const { id, charts, first } = await withCharts('One', 'Two')
      const { first: foreign } = await withCharts('Elsewhere')
      const at = (pluginInstallId: string, more: object = {}) => ({
        ...{ pluginInstallId, x: 0, y: 0, w: 1, h: 1, ...more },
      })
      for (const [layout, ...path] of [
        [[at(foreign)], 'layout', 0, 'pluginInstallId'],
        [[at(first), at('pliNone')], 'layout', 1, 'pluginInstallId'],
        [[at(first), at(first)], 'layout', 1, 'pluginInstallId'],
        [[at(first, { x: -1 })], 'layout', 0, 'x'],
        [[at(first, { y: last + 1 })], 'layout', 0, 'y'],
        [[at(first, { w: 'wide' })], 'layout', 0, 'w'],
        [[at(first, { h: Number.NaN })], 'layout', 0, 'h'],
        [Array(41).fill(at(first)), 'layout'],
        [undefined, 'layout'],
      ] as const) {
        await expectNoTrace(() => api().arrange(id, layout), refusedAt(...path))
      }
      const layout = [at(charts[1] ?? '', { x: 0.5, y: last, w: 4, h: 3 })]
      const more = layout.map((item) => ({ ...item, color: 'red' }))
      expect(await api().arrange(id, more)).toEqual({ id, layout, version: 4 })
      expect(await api().get(id)).toMatchObject({ layout, version: 4 })
      expect(await api().arrange(id, layout)).toMatchObject({ version: 4 })
      await api().arrange(id, [])
      expect((await api().get(id)).layout).toEqual([])
    })

    test('[BOARD-10] [BOARD-12] renames installs, and counts what changes', async () => {
      const { id, first } = await withCharts('One')
      for (const name of ['', ' ', 'x'.repeat(101)]) {
        await expectNoTrace(() => api().rename(id, first, name), refusedAt('name'))
      }
      expect(await api().rename(id, first, ' Renamed ')).toMatchObject({
        name: 'Renamed',
        version: 2,
      })
      expect((await api().get(id)).pluginMap?.[first]?.name).toBe('Renamed')
      expect((await api().get(id)).version).toBe(3)
      expect(await world.heard(() => api().rename(id, first, 'Renamed'))).toEqual([])
      await api().store(id, first, { a: 1 })
      expect(await api().getInstall(id, first)).toMatchObject({ version: 3 })
      expect((await api().get(id)).version).toBe(3)
    })

    test('[BOARD-11] keeps what plugins send, replaced whole', async () => {
      const { id, first } = await withCharts('One')
      expect(await api().getInstall(id, first)).not.toHaveProperty('storage')
      const most = limits.pluginStorageBytes
      for (const sent of [
        { text: 'x'.repeat(most) },
        { text: 'é'.repeat(most / 2) },
        [1],
        'text',
        null,
        { text: '\ud800' },
      ]) {
        await expectNoTrace(() => api().store(id, first, sent), { code: 'validation_error' })
      }
      const whole = { text: 'x'.repeat(most - '{"text":""}'.length) }
      const odd = { query: { from: tableId, where: null, list: [1, 'ü', { deep: [[]] }] } }
      for (const sent of [whole, odd, {}]) {
        expect(await api().store(id, first, sent)).toMatchObject({ storage: sent })
        expect((await api().getInstall(id, first)).storage).toEqual(sent)
      }
      expect(await api().store(id, first)).not.toHaveProperty('storage')
      expect(await api().getInstall(id, first)).not.toHaveProperty('storage')
    })

    test('[BOARD-13] tells what happened', async () => {
      const { id, first } = await withCharts('One')
      const board =
        kind === 'dashboards'
          ? { name: 'dashboard.updated', baseId, dashboardId: id }
          : { name: 'plugin_panel.updated', tableId, pluginPanelId: id }
      const of = (name: string) => ({
        ...{ name: `plugin_install.${name}`, baseId, positionId: id },
      })
      const heard = async (call: () => Promise<unknown>) =>
        (await world.heard(call)).map(({ userId: _, ...event }: { userId?: string }) => event)
      const pluginInstallId = first
      expect(await heard(() => api().install(id, chart))).toMatchObject([board, of('created')])
      expect(await heard(() => api().rename(id, first, 'Two'))).toEqual([
        board,
        { ...of('updated'), pluginInstallId },
      ])
      expect(await heard(() => api().store(id, first, {}))).toEqual([
        { ...of('updated'), pluginInstallId },
      ])
      expect(await heard(() => api().arrange(id, []))).toEqual([board])
      expect(await heard(() => api().uninstall(id, first))).toEqual([
        board,
        { ...of('deleted'), pluginInstallId },
      ])
    })

    test('[BOARD-14] copies an install as it is', async () => {
      const { id, charts, first } = await withCharts('One', 'Two')
      await api().store(id, first, { color: 'red' })
      const wide = { pluginInstallId: first, x: 3, y: 4, w: 9, h: 8 }
      await api().arrange(id, [wide])
      const copy = await api().copyInstall(id, first)
      expect(copy).toMatchObject({ name: 'One 2' })
      expect(await api().getInstall(id, copy.id)).toMatchObject({
        ...{ pluginId: chart, storage: { color: 'red' }, version: 1 },
      })
      const unplaced = await api().copyInstall(id, charts[1] ?? '')
      expect((await api().get(id)).layout).toEqual([
        wide,
        { ...place(copy.id, 1), w: 9, h: 8 },
        place(unplaced.id, 2),
      ])
    })

    test('[BOARD-15] copies a board with all that is on it', async () => {
      const { id, charts, first } = await withCharts('One', 'Two')
      await api().store(id, first, { self: first, board: id, text: `in ${charts[1]}_sum` })
      const before = await api().get(id)
      const { id: copyId, name } = await api().duplicate(id)
      expect(name).toBe('Board 2')
      const copy = await api().get(copyId)
      const ids = copy.layout?.map(({ pluginInstallId }) => pluginInstallId) ?? []
      expect(ids.some((of) => charts.includes(of))).toBe(false)
      expect(copy.layout).toEqual(ids.map((of, index) => place(of, index)))
      expect(ids.map((of) => copy.pluginMap?.[of]?.name)).toEqual(['One', 'Two'])
      const storage = { self: ids[0], board: copyId, text: `in ${ids[1]}_sum` }
      expect(await api().getInstall(copyId, ids[0] ?? '')).toMatchObject({ storage })
      await api().rename(copyId, ids[0] ?? '', 'Renamed')
      await api().uninstall(copyId, ids[1] ?? '')
      expect(await api().get(id)).toEqual(before)
    })

    test('[BOARD-16] comes along with a copy of its base, and names what came along', async () => {
      const [field] = await world.api.fields.listFields({ tableId })
      const { id, first } = await withCharts('One')
      const query = (of: string, fieldId = '') => ({
        ...{ from: of, select: [{ column: fieldId, type: 'field' }] },
        ...{ orderBy: [{ column: `${fieldId}_sum` }], elsewhere: 'tbl0000000000000000' },
      })
      await api().store(id, first, { query: query(tableId, field?.id) })
      const board = await api().get(id)
      const { id: copyId } = await world.api.bases.duplicateBase({
        ...{ fromBaseId: baseId, spaceId: world.ada.spaceId },
      })
      const [table] = await world.api.tables.listTables({ baseId: copyId })
      const copiedTable = table?.id ?? ''
      const [copiedField] = await world.api.fields.listFields({ tableId: copiedTable })
      const copies =
        kind === 'dashboards'
          ? await world.api.dashboards.listDashboards({ baseId: copyId })
          : await world.api.pluginPanels.listPanels({ tableId: copiedTable })
      const there =
        kind === 'dashboards' ? onDashboards(world.api, copyId) : onPanels(world.api, copiedTable)
      const copy = await there.get(copies[0]?.id ?? '')
      const copiedInstall = copy.layout?.[0]?.pluginInstallId ?? ''
      expect(copy.layout).toEqual([{ ...board.layout?.[0], pluginInstallId: copiedInstall }])
      expect(await there.getInstall(copies[0]?.id ?? '', copiedInstall)).toMatchObject({
        ...{ baseId: copyId, name: 'One', version: 1 },
        storage: { query: query(copiedTable, copiedField?.id) },
      })
      expect((await world.api.bases.verifyBase({ baseId: copyId })).problems).toEqual([])
      expect(await api().get(id)).toEqual(board)
    })

    test('[BOARD-16] names the copies of the base, its folders, dashboards and workflows, too', async () => {
      const { api: all } = world
      const { id, first } = await withCharts('One')
      const namesIn = async (of: string) => {
        const nodes = await all.tree.listNodes({ baseId: of })
        const named = nodes.filter(({ resourceType }) => resourceType !== 'table')
        return [of, ...named.map((node) => `${node.resourceType}\n${node.resourceId}`)]
      }
      await all.dashboards.createDashboard({ baseId, name: 'Last' })
      await all.workflows.createWorkflow({ baseId })
      await api().store(id, first, { names: await namesIn(baseId) })
      const { id: copyId } = await all.bases.duplicateBase({
        ...{ fromBaseId: baseId, spaceId: world.ada.spaceId },
      })
      const [table] = await all.tables.listTables({ baseId: copyId })
      const boards =
        kind === 'dashboards'
          ? await all.dashboards.listDashboards({ baseId: copyId })
          : await all.pluginPanels.listPanels({ tableId: table?.id ?? '' })
      const [install] = await kept(boards.find(({ name }) => name !== 'Last')?.id ?? '')
      expect(install?.storage).toEqual({ names: await namesIn(copyId) })
    })

    test('[BOARD-16] names the copies of what is on other boards, whichever is copied first', async () => {
      const { api: all } = world
      const { id, first } = await withCharts('One')
      const other =
        kind === 'panels' ? await all.tables.createTable({ baseId, name: 'Other' }) : undefined
      const there = other ? onPanels(all, other.id) : api()
      const { id: otherId } = await there.create('Other')
      const { pluginInstallId } = await there.install(otherId, chart)
      await api().store(id, first, { names: [otherId, pluginInstallId] })
      await there.store(otherId, pluginInstallId, { names: [id, first] })
      const { id: copyId } = await all.bases.duplicateBase({
        ...{ fromBaseId: baseId, spaceId: world.ada.spaceId },
      })
      const tables = await all.tables.listTables({ baseId: copyId })
      const boards =
        kind === 'dashboards'
          ? await all.dashboards.listDashboards({ baseId: copyId })
          : (
              await Promise.all(
                tables.map((table) => all.pluginPanels.listPanels({ tableId: table.id })),
              )
            ).flat()
      const installs = await Promise.all(boards.map(async (board) => (await kept(board.id))[0]))
      const names = installs.map((one) => [one?.positionId, one?.id])
      expect(installs.map((one) => one?.storage)).toEqual(
        names.toReversed().map((one) => ({ names: one })),
      )
    })

    test('[BOARD-17] comes back from the trash as it was, and leaves nothing behind when purged', async () => {
      const { id, first } = await withCharts('One', 'Two')
      await api().store(id, first, { color: 'red' })
      const before = [await api().get(id), await api().getInstall(id, first)]
      const remove = () =>
        kind === 'dashboards'
          ? world.api.dashboards.deleteDashboard({ baseId, dashboardId: id })
          : world.api.tables.deleteTable({ baseId, tableId })
      const inTrash = async () =>
        (await world.api.trash.listTrashItems({ resourceType: 'base', resourceId: baseId }))
          .trashItems
      await remove()
      await expect(api().get(id)).rejects.toMatchObject(notFound)
      await expect(api().getInstall(id, first)).rejects.toMatchObject(notFound)
      const [entry] = await inTrash()
      await world.api.trash.restoreTrash({ trashId: entry?.id ?? '' })
      expect([await api().get(id), await api().getInstall(id, first)]).toEqual(before)
      await remove()
      await world.api.trash.resetTrash({ resourceType: 'base', resourceId: baseId })
      await world.finishJobs()
      expect(await kept(id)).toEqual([])
      const left = await world.engine.store.read(async (tx) => [
        await tx.dashboards.listOf(baseId),
        await tx.pluginPanels.listOf(tableId),
      ])
      expect(left).toEqual([[], []])
    })
  })
})

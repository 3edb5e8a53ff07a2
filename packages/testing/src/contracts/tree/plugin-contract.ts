import type { PluginInstall } from '@gateleg/domain/plugin-installs/plugin-install'
import type { Plugin } from '@gateleg/domain/plugins/plugin'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'

const plugin = (number: number, settings: Partial<Plugin> = {}): Plugin => ({
  ...{ id: `plg${number}`, name: `Plugin ${number}`, logo: 'https://a.example/l.png' },
  ...{ description: undefined, detailDesc: undefined, url: undefined, helpUrl: undefined },
  ...{ config: undefined, i18n: undefined, positions: ['panel'], status: 'developing' },
  ...{ withdrawnVersion: undefined, secretHash: `hash ${number}`, createdBy: 'usr1', version: 1 },
  ...{ createdTime: `2026-01-01T00:0${number}:00.000Z`, lastModifiedTime: time, ...settings },
})

/** Declares what every PluginRepository promises. */
export function pluginRepositoryContract({ store, other }: OpenedStorage): void {
  describe('every PluginRepository', () => {
    it('[STORE-222] finds plugins by their ids, and lists those of a maker and those that are published', async () => {
      const first = plugin(1, { status: 'published', config: { width: 1 }, i18n: { en: {} } })
      const others = [plugin(2), plugin(3, { createdBy: 'usr2', status: 'published' })] as const
      await store.write(async (tx) => {
        for (const one of [...others, first]) await tx.plugins.insert(one)
      })
      await other.read(async ({ plugins }) => {
        expect(await plugins.find('plg1')).toEqual(first)
        expect(await plugins.find('plg9')).toBeUndefined()
        const found = await plugins.findAll(['plg3', 'plg9', 'plg2'])
        expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(others)
        expect(await plugins.listOf('usr1')).toEqual([first, others[0]])
        expect(await plugins.countOf('usr1')).toBe(2)
        expect(await plugins.listPublished()).toEqual([first, others[1]])
      })
      const words = { description: 'd', detailDesc: 'D', url: 'u', helpUrl: 'h', name: 'New' }
      const changed = plugin(1, {
        ...words,
        positions: ['view'],
        secretHash: 'x',
        withdrawnVersion: 2,
        version: 2,
      })
      await store.write(async (tx) => {
        expect(await tx.plugins.countPublishedHeld()).toBe(2)
        await tx.plugins.update({ ...changed, createdBy: 'usr9' })
        await tx.plugins.delete('plg2')
      })
      await store.read(async ({ plugins }) =>
        expect(await plugins.listOf('usr1')).toEqual([changed]),
      )
    })
  })
}

const install = (number: number, settings: Partial<PluginInstall> = {}): PluginInstall => ({
  ...{ id: `pli${number}`, pluginId: 'plg1', baseId: 'bse1', tableId: 'tbl1' },
  ...{ position: 'contextMenu', positionId: 'tbl1', name: `Install ${number}`, order: number },
  ...{ storage: undefined, createdBy: 'usr1', createdTime: time, version: 1, ...settings },
})

/** Declares what every PluginInstallRepository promises. */
export function pluginInstallRepositoryContract({ store, other }: OpenedStorage): void {
  const onBoard = { tableId: undefined, position: 'dashboard', positionId: 'dsh1' } as const
  const whole = (positionId: string) =>
    store.read((tx) => tx.pluginInstalls.listWholeAt(positionId))

  describe('every PluginInstallRepository', () => {
    it('[STORE-223] finds installs by their ids, and lists those at a position by their order', async () => {
      const storage = { query: { limit: 1 } }
      const [first, second, third] = [install(1, { order: 0.5 }), install(2), install(3)]
      const last = install(4, { ...onBoard, storage })
      await store.write(async (tx) => {
        await tx.pluginInstalls.insert([])
        await tx.pluginInstalls.insert([last, third, { ...second, order: 3 }, first])
      })
      await other.read(async ({ pluginInstalls }) => {
        expect(await pluginInstalls.find('pli4')).toEqual(last)
        expect(await pluginInstalls.find('pli9')).toBeUndefined()
        const listed = await pluginInstalls.listAt('tbl1')
        expect(listed.map(({ id }) => id)).toEqual(['pli1', 'pli2', 'pli3'])
        expect(listed[0]).not.toHaveProperty('storage')
        expect(await pluginInstalls.listWholeAt('dsh1')).toEqual([last])
        const keeping = (after: string, most = 9) =>
          pluginInstalls.keepingIn('bse1', { after, most })
        expect(await keeping('')).toEqual([last])
        expect(await keeping('pli4')).toEqual([])
        expect(await keeping('', 0)).toEqual([])
        expect(await pluginInstalls.keepingIn('bse9', { after: '', most: 9 })).toEqual([])
      })
      const changed = { ...first, name: 'New', order: 9, storage, version: 2 }
      await store.write(async (tx) => {
        expect(await tx.pluginInstalls.heldAt('dsh1')).toEqual([last])
        expect(await tx.pluginInstalls.heldIn('tbl1')).toEqual(
          await tx.pluginInstalls.listWholeIn('tbl1'),
        )
        await tx.pluginInstalls.update({ ...changed, positionId: 'tbl9' })
        await tx.pluginInstalls.delete('pli2')
      })
      expect(await whole('tbl1')).toEqual([third, changed])
      await store.write((tx) => tx.pluginInstalls.deleteAt('tbl1'))
      expect([await whole('tbl1'), await whole('dsh1')]).toEqual([[], [last]])
    })

    it('[STORE-223] removes installs with their table, and with their base', async () => {
      const [table, second] = [
        await makeTable(store, ['singleLineText']),
        await makeTable(store, ['singleLineText']),
      ]
      const ofTable = ({ tableId, baseId }: TableSchema) => ({
        baseId,
        tableId,
        positionId: tableId,
      })
      const inTable = install(1, ofTable(table))
      const inBase = install(2, { ...onBoard, baseId: table.baseId })
      const inOther = install(3, ofTable(second))
      await store.write((tx) => tx.pluginInstalls.insert([inTable, inBase, inOther]))
      await store.write((tx) => tx.tables.deletePermanently(newTable(table.baseId)))
      expect([await whole(table.tableId), await whole('dsh1')]).toEqual([[], [inBase]])
      await store.write((tx) => tx.purge.finishBase(table.baseId))
      expect([await whole('dsh1'), await whole(second.tableId)]).toEqual([[], [inOther]])
    })
  })
}

import type { PluginPanel } from '@gateleg/domain/plugin-panels/plugin-panel'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'
const layout = [{ pluginInstallId: 'pli1', x: 0, y: Number.MAX_SAFE_INTEGER, w: 1, h: 3 }]

function newPanel(number: number, settings: Partial<PluginPanel> = {}): PluginPanel {
  return {
    ...{ id: `plp${number}`, baseId: 'bse1', tableId: 'tbl1', name: 'Panel', layout: null },
    ...{ createdBy: 'usr1', createdTime: time, version: 1, ...settings },
  }
}

/** Declares what every PluginPanelRepository promises. */
export function pluginPanelContract({ store }: OpenedStorage): void {
  describe('every PluginPanelRepository', () => {
    it('[STORE-224] keeps panels in the order in which they were made, and counts their versions', async () => {
      const first = newPanel(9, { createdTime: '2025-12-31T23:59:59.999Z' })
      await store.write(async (tx) => {
        await tx.pluginPanels.insert([newPanel(3), newPanel(2, { layout }), first])
        await tx.pluginPanels.insert([newPanel(1, { tableId: 'tbl2' })])
        await tx.pluginPanels.insert([])
        await tx.pluginPanels.update(newPanel(3, { name: 'Renamed', layout, version: 7 }))
      })
      const renamed = newPanel(3, { name: 'Renamed', layout, version: 2 })
      const list = () => store.read((tx) => tx.pluginPanels.listOf('tbl1'))
      expect(await list()).toEqual([first, newPanel(2, { layout }), renamed])
      expect(await store.read((tx) => tx.pluginPanels.find('plp3'))).toEqual(renamed)
      await store.write((tx) => tx.pluginPanels.delete('plp3'))
      expect(await store.read((tx) => tx.pluginPanels.find('plp3'))).toBeUndefined()
      expect(await list()).toHaveLength(2)
    })

    it('[STORE-224] removes panels with their table', async () => {
      const { baseId, tableId } = await makeTable(store, ['singleLineText'])
      await store.write((tx) =>
        tx.pluginPanels.insert([
          newPanel(11, { baseId, tableId }),
          newPanel(12, { baseId, tableId: 'tbl9' }),
        ]),
      )
      await store.write((tx) => tx.tables.deletePermanently(newTable(baseId)))
      expect(await store.read((tx) => tx.pluginPanels.listOf(tableId))).toEqual([])
      expect(await store.read((tx) => tx.pluginPanels.listOf('tbl9'))).toHaveLength(1)
    })
  })
}

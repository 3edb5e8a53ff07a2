import type { Dashboard } from '@gateleg/domain/dashboards/dashboard'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-01-01T00:00:00.000Z'

/** A place that a grid takes for below all others. */
const layout = [{ pluginInstallId: 'pli1', x: 0.5, y: Number.MAX_SAFE_INTEGER, w: 2, h: 2 }]

function newDashboard(number: number, settings: Partial<Dashboard> = {}): Dashboard {
  return {
    ...{ id: `dsh${number}`, baseId: 'bse1', name: 'Charts', layout: null, createdBy: 'usr1' },
    ...{ createdTime: time, version: 1, ...settings },
  }
}

/** Declares what every DashboardRepository promises. */
export function dashboardRepositoryContract({ store }: OpenedStorage): void {
  describe('every DashboardRepository', () => {
    it('[STORE-71] [STORE-347] keeps dashboards, counts their versions, and answers none that is deleted', async () => {
      const first = newDashboard(9, { createdTime: '2025-12-31T23:59:59.999Z' })
      await store.write(async (tx) => {
        await tx.dashboards.insert([3, 2, 1, 4].map((number) => newDashboard(number)))
        await tx.dashboards.insert([first, newDashboard(5, { baseId: 'bse2' })])
        await tx.dashboards.insert([])
        await tx.dashboards.update(newDashboard(1, { name: 'Renamed', layout, version: 7 }))
        await tx.dashboards.markDeleted('dsh2', { operationId: 'opr1', time, userId: 'usr1' })
        await tx.dashboards.delete('dsh3')
      })
      const renamed = newDashboard(1, { name: 'Renamed', layout, version: 2 })
      const list = () => store.read((tx) => tx.dashboards.listOf('bse1'))
      const find = (id: string) => store.read((tx) => tx.dashboards.find(id))
      expect(await list()).toEqual([first, renamed, newDashboard(4)])
      expect(await store.read((tx) => tx.dashboards.listNamesOf('bse1'))).toEqual(
        [first, renamed, newDashboard(4)].map(({ id, name }) => ({ id, name })),
      )
      expect(await find('dsh1')).toEqual(renamed)
      expect([await find('dsh2'), await find('dsh3')]).toEqual([undefined, undefined])
      const inTrash = () =>
        store.read((tx) => tx.dashboards.deletedIn('bse1', { after: '', most: 9 }))
      expect(await inTrash()).toEqual([{ thing: newDashboard(2), operationId: 'opr1' }])
      await store.write((tx) => tx.dashboards.restore('dsh2'))
      expect(await find('dsh2')).toEqual(newDashboard(2))
      expect(await inTrash()).toEqual([])
    })
  })
}

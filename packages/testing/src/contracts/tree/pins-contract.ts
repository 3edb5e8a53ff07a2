import type { LastVisit } from '@gateleg/domain/last-visits/last-visit'
import type { Pin } from '@gateleg/domain/pins/pin'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const time = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`

/** Declares what every PinRepository promises. */
export function pinContract({ store }: OpenedStorage): void {
  const pin = (order: number, settings: Partial<Pin> = {}): Pin => ({
    ...{ userId: 'usr1', type: 'table', id: `tbl${order}`, order },
    ...{ parentId: 'bse1', baseId: 'bse1', ...settings },
  })
  const keep = (userId: string, ...pins: Pin[]) =>
    store.write((tx) => tx.pins.replaceAll(userId, pins))
  const list = (userId = 'usr1') => store.read((tx) => tx.pins.listOf(userId))

  describe('every PinRepository', () => {
    it('[STORE-331] keeps the pins of a user in their order, and forgets what is removed for good', async () => {
      const view = pin(2, { type: 'view', id: 'viw1', parentId: 'tbl0' })
      const space = pin(3, { type: 'space', id: 'spc1', parentId: null, baseId: null })
      const base = pin(4, { type: 'base', id: 'bse2', parentId: 'spc1', baseId: 'bse2' })
      await keep('usr1', view, pin(1), space, base, pin(0))
      await keep('usr2', pin(0, { userId: 'usr2' }))
      expect(await list()).toEqual([pin(0), pin(1), view, space, base])
      await store.write((tx) => tx.views.delete('viw1'))
      expect(await list()).toEqual([pin(0), pin(1), space, base])
      await store.write((tx) => tx.purge.removeSpace('spc1'))
      expect(await list()).toEqual([pin(0), pin(1)])
      await keep('usr1', pin(0))
      expect([await list(), await list('usr2')]).toMatchObject([[{ id: 'tbl0' }], [{ order: 0 }]])
      await keep('usr1')
      expect([await list(), await list('usr2')]).toMatchObject([[], [{ order: 0 }]])
    })
  })
}

/** Declares what every LastVisitRepository promises. */
export function lastVisitContract({ store }: OpenedStorage): void {
  const visit = (minute: number, settings: Partial<LastVisit> = {}): LastVisit => ({
    ...{ userId: 'usr1', parentId: 'bse1', resourceType: 'table', resourceId: `tbl${minute}` },
    ...{ childId: null, baseId: 'bse1', visitedTime: time(minute), ...settings },
  })
  const note = (...visits: LastVisit[]) =>
    store.write(async (tx) => {
      for (const one of visits) await tx.lastVisits.note(one)
    })
  const list = (parentId = 'bse1') => store.read((tx) => tx.lastVisits.listOf('usr1', parentId))

  describe('every LastVisitRepository', () => {
    it('[STORE-332] keeps one visit for each parent and type, the latest ones of a user', async () => {
      const folder = visit(2, { resourceType: 'folder', resourceId: 'bnf1' })
      const view = visit(4, { resourceType: 'view', parentId: 'tbl3', childId: 'x' })
      const others = visit(0, { userId: 'usr2' })
      await note(visit(1), folder, visit(3), view, others)
      expect(await list()).toEqual([visit(3), folder])
      expect(await list('tbl3')).toEqual([view])
      await store.write((tx) => tx.lastVisits.deleteOldest('usr1', 2))
      expect([await list(), await list('tbl3')]).toEqual([[visit(3)], [view]])
      await store.write((tx) => tx.views.delete(view.resourceId))
      expect(await list('tbl3')).toEqual([])
      await store.write((tx) => tx.purge.removeBase('bse1'))
      expect(await list()).toEqual([])
      await note(visit(1))
      await store.write((tx) => tx.lastVisits.deleteOfUser('usr1'))
      expect(await list()).toEqual([])
    })
  })
}

/** Declares what every SeenResourceReader promises. */
export function seenResourceContract({ store }: OpenedStorage): void {
  describe('every SeenResourceReader', () => {
    it('[STORE-333] finds living resources where the user has a role, of the type that is named', async () => {
      const made = { createdTime: time(0), version: 1, createdBy: 'usr1' }
      const place = { resourceType: 'space', resourceId: 'spc1' } as const
      await store.write(async (tx) => {
        for (const number of [1, 2]) {
          await tx.spaces.insert({ ...made, id: `spc${number}`, name: `Space ${number}` })
        }
        await tx.collaborators.insert({ ...place, ...made, userId: 'usr1', role: 'viewer' })
      })
      const named = [
        { type: 'space', id: 'spc1' },
        { type: 'space', id: 'spc2' },
        { type: 'table', id: 'spc1' },
        { type: 'base', id: 'spc1' },
        { type: 'view', id: 'viw1' },
      ] as const
      const find = (userId: string) => store.read((tx) => tx.seenResources.find(userId, named))
      const none = { icon: null, parentId: null, baseId: null, viewType: null }
      expect(await find('usr1')).toEqual([{ type: 'space', id: 'spc1', name: 'Space 1', ...none }])
      expect(await find('usr2')).toEqual([])
      const deletion = { operationId: 'opr1', time: time(1), userId: 'usr1' }
      await store.write((tx) => tx.spaces.markDeleted('spc1', deletion))
      expect(await find('usr1')).toEqual([])
    })
  })
}

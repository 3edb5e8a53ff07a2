import type { TrashEntry } from '@gateleg/domain/trash/trash-entry'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

/** Declares what every TrashRepository promises. */
export function trashRepositoryContract({ store, other }: OpenedStorage): void {
  const time = (second: number) => `2026-01-01T00:00:0${second}.000Z`
  const entry = (id: string, second: number, placeId = 'tbl1'): TrashEntry => ({
    id,
    placeId,
    resourceType: 'record',
    resourceIds: [`rec-${id}`],
    deletedTime: time(second),
    deletedBy: 'usr1',
  })
  const add = (...entries: readonly TrashEntry[]) =>
    store.write(async ({ trash }) => {
      for (const { id, deletedTime, deletedBy, ...what } of entries) {
        await trash.add({ operationId: id, time: deletedTime, userId: deletedBy }, what)
      }
    })
  const idsOf = (entries: readonly TrashEntry[]) => entries.map(({ id }) => id)

  describe('every TrashRepository', () => {
    it('[STORE-200] finds entries by their ids, and lists those of a place newest first, after any position', async () => {
      const first = entry('opr1', 1)
      await add(first, entry('opr3', 2), entry('opr2', 2), entry('opr9', 1, 'tbl2'))
      await other.read(async ({ trash }) => {
        expect(await trash.find('opr1', 'none')).toEqual(first)
        expect(await trash.find('opr7', 'none')).toBeUndefined()
        const deletions = await trash.deletionsIn(['opr1', 'opr7'])
        expect(deletions).toEqual([{ operationId: 'opr1', time: time(1), userId: 'usr1' }])
        const known = await trash.findAll(['opr7', 'opr2', 'opr1'])
        expect([idsOf(known), known[0]]).toEqual([['opr1', 'opr2'], first])
        expect(await trash.findAll([])).toEqual([])
        expect(idsOf(await trash.listOf('tbl1', { take: 9 }))).toEqual(['opr3', 'opr2', 'opr1'])
        expect(idsOf(await trash.listOf('tbl1', { take: 1 }))).toEqual(['opr3'])
        const after = { id: 'opr3', deletedTime: time(2) }
        expect(idsOf(await trash.listOf('tbl1', { after, take: 9 }))).toEqual(['opr2', 'opr1'])
        const between = { id: 'opr0', deletedTime: time(2) }
        expect(idsOf(await trash.listOf('tbl1', { after: between, take: 9 }))).toEqual(['opr1'])
      })
    })

    it('[STORE-201] what is discarded is answered no more, and handed out oldest first until it is removed', async () => {
      await add(entry('opr1', 1), entry('opr2', 2), entry('opr3', 3), entry('opr9', 4, 'tbl2'))
      await store.write(async ({ trash }) => {
        await trash.discard(['opr2'])
        expect(await trash.discardAll('tbl1')).toBe(2)
        expect(await trash.discardAll('tbl1')).toBe(0)
      })
      await store.write(async ({ trash }) => {
        expect(await trash.find('opr2', 'update')).toBeUndefined()
        expect(await trash.deletionsIn(['opr2'])).toEqual([])
        expect(await trash.findAll(['opr2'])).toEqual([])
        expect(await trash.listOf('tbl1', { take: 9 })).toEqual([])
        expect(idsOf(await trash.listOf('tbl2', { take: 9 }))).toEqual(['opr9'])
        expect(await trash.nextDiscarded(1)).toEqual(entry('opr2', 2))
        await trash.remove('opr1')
        await trash.keepOnly('opr2', ['recLeft'])
        expect(await trash.nextDiscarded(0)).toMatchObject({ id: 'opr2', resourceIds: ['recLeft'] })
        expect(await trash.nextDiscarded(2)).toBeUndefined()
      })
    })

    it('[STORE-201] those of before a time are discarded, the oldest first, so many at once', async () => {
      await add(entry('opr1', 1), entry('opr2', 2), entry('opr3', 3))
      await store.write(async ({ trash }) => {
        expect(await trash.discardOlder(time(3), 1)).toBe(1)
        expect(idsOf(await trash.listOf('tbl1', { take: 9 }))).toEqual(['opr3', 'opr2'])
        expect(await trash.discardOlder(time(3), 9)).toBe(1)
        expect(idsOf(await trash.listOf('tbl1', { take: 9 }))).toEqual(['opr3'])
      })
    })
  })
}

import type { RowOrder } from '@gateleg/domain/queries/row-order'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { RowOrderReader } from '@gateleg/domain/views/row-order-repository'
import { describe, expect, it } from 'vitest'
import { withLimits } from '../../with-limits.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import { storedRecords } from './stored-records.ts'

type Ordering = Parameters<RowOrderReader['steps']>[1]

/** Declares what every RowOrderRepository promises. */
export function rowOrderRepositoryContract({ store }: OpenedStorage): void {
  const { tableWith, insert, markDeleted } = storedRecords(store)
  const order = (id: string, frozenNumber = 0): RowOrder => ({
    ...{ id, frozenNumber, renumberedVersion: 0 },
  })
  /** A table of five records, of which the fourth is deleted, with an empty order. */
  const tableWithOrder = async (): Promise<TableSchema> => {
    const schema = await tableWith(['number'])
    await insert(schema, [[3], [null], [1], [2], [1]])
    await markDeleted(schema, 'rec4')
    await store.write((tx) => tx.rowOrders.create(schema.baseId, 'ord1'))
    return schema
  }
  const noted = (baseId: string, id: string) =>
    store.read(async (tx) =>
      [...(await tx.rowOrders.notedOf(baseId, id, [1, 2, 3, 4, 5, 6]))].toSorted(
        ([a], [b]) => a - b,
      ),
    )
  const places = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([autoNumber, position]) => ({ autoNumber, position }))

  describe('every RowOrderRepository', () => {
    it('[STORE-96] notes places, anew where some are noted', async () => {
      const { baseId } = await tableWithOrder()
      expect(await noted(baseId, 'ord1')).toEqual([])
      await store.write(async ({ rowOrders }) => {
        await rowOrders.move(baseId, 'ord1', places([5, 1.5], [2, 1.75]), 3)
        await rowOrders.renumber(baseId, 'ord1', places([2, 1.25], [1, -7]))
        await rowOrders.move(baseId, 'ord1', places([5, 9]), 4)
        await rowOrders.move(baseId, 'ord1', [], 5)
      })
      expect(await noted(baseId, 'ord1')).toEqual([
        [1, { position: -7, movedVersion: 0 }],
        [2, { position: 1.25, movedVersion: 3 }],
        [5, { position: 9, movedVersion: 4 }],
      ])
    })

    it('[STORE-96] tells whether records stand by their numbers', async () => {
      const { baseId } = await tableWithOrder()
      const isByNumber = () => store.read((tx) => tx.rowOrders.isByNumber(baseId, 'ord1'))
      expect(await isByNumber()).toBe(true)
      await store.write((tx) => tx.rowOrders.move(baseId, 'ord1', places([1, 1], [2, 2.5]), 1))
      expect(await isByNumber()).toBe(false)
      await store.write((tx) => tx.rowOrders.move(baseId, 'ord1', places([2, 2]), 2))
      expect(await isByNumber()).toBe(true)
    })

    it('[STORE-96] takes all records in parts, as they are ordered, deleted ones too', async () => {
      const schema = await tableWithOrder()
      const { baseId } = schema
      const [field] = schema.fields
      if (!field) throw new Error('the table has a field')
      await store.write(async ({ rowOrders }) => {
        const keys = [{ field, isDescending: true }]
        const parts = await rowOrders.sorted(schema, { keys }, 2)
        expect(parts).toHaveLength(3)
        for (const [index, part] of parts.entries()) {
          await rowOrders.append(baseId, 'ord1', part, index * 2)
        }
      })
      const positions = (await noted(baseId, 'ord1')).map(([number, { position }]) => [
        number,
        position,
      ])
      expect(positions).toEqual([
        [1, 1],
        [2, 5],
        [3, 3],
        [4, 2],
        [5, 4],
      ])
      const again = await store.read((tx) =>
        tx.rowOrders.sorted(schema, { keys: [], rowOrder: order('ord1', 5) }, 10),
      )
      expect(again.map((part) => JSON.parse(part))).toEqual([['1', '4', '3', '5', '2']])
      const empty = await tableWith(['number'])
      const none = await store.read((tx) => tx.rowOrders.sorted(empty, { keys: [] }, 2))
      expect(none).toEqual([])
    })

    it('[STORE-96] notes the places of all records in steps, deleted ones too', async () => {
      const schema = await tableWithOrder()
      const { baseId } = schema
      const [field] = schema.fields
      if (!field) throw new Error('the table has a field')
      const fill = async (id: string, of: TableSchema, ordering: Ordering, records = 5) => {
        const { baseId } = of
        const steps = await store.read((tx) => tx.rowOrders.steps(of, ordering))
        await store.write((tx) => tx.rowOrders.begin(baseId, id, records))
        for (const step of steps) await store.write((tx) => tx.rowOrders.take(baseId, id, step))
        await store.write((tx) => tx.rowOrders.finish(baseId, id))
        const found = await noted(baseId, id)
        return found.map(([number, { position, movedVersion }]) => {
          expect(movedVersion).toBe(0)
          return [number, position]
        })
      }
      await withLimits({ placesNotedAtOnce: 2 }, async () => {
        const byValue = { keys: [{ field, isDescending: true }] }
        const expected = [
          [1, 1],
          [2, 5],
          [3, 3],
          [4, 2],
          [5, 4],
        ]
        expect(await fill('ord2', schema, byValue)).toEqual(expected)
        expect(await fill('ord3', schema, byValue, 1e9)).toEqual(expected)
      })
      const standing = { keys: [], rowOrder: order('ord2', 5) }
      await store.write((tx) => tx.rowOrders.move(baseId, 'ord2', places([2, 1.5]), 1))
      expect(await fill('ord4', schema, standing)).toEqual([
        [1, 1],
        [2, 2],
        [3, 4],
        [4, 3],
        [5, 5],
      ])
      const from = { position: 2, autoNumber: 2 }
      const after = await store.read((tx) =>
        tx.rowOrders.near(schema, order('ord4', 5), from, 'after', 9),
      )
      expect(after.map(({ autoNumber }) => autoNumber)).toEqual([4, 3, 5])
      expect(await fill('ord5', await tableWith(['number']), { keys: [] }, 0)).toEqual([])
    })

    it('[STORE-97] finds the records next to a place', async () => {
      const schema = await tableWithOrder()
      await store.write(({ rowOrders }) =>
        rowOrders.move(schema.baseId, 'ord1', places([5, 1.5], [2, 4]), 1),
      )
      const near = async (
        position: number,
        autoNumber: number,
        side: 'before' | 'after',
        most = 9,
      ) => {
        const from = { position, autoNumber }
        const found = await store.read((tx) =>
          tx.rowOrders.near(schema, order('ord1'), from, side, most),
        )
        return found.map((place) => place.autoNumber)
      }
      // As they stand: 1, 5 (1.5), 3, 2 (4), 4.
      expect(await near(1, 1, 'after')).toEqual([5, 3, 2, 4])
      expect(await near(1.5, 5, 'after', 2)).toEqual([3, 2])
      expect(await near(4, 2, 'after')).toEqual([4])
      expect(await near(4, 4, 'before')).toEqual([2, 3, 5, 1])
      expect(await near(3.5, 9, 'before', 1)).toEqual([3])
      expect(await near(1, 1, 'before')).toEqual([])
    })

    it('[STORE-98] is removed so many places at a time', async () => {
      const { baseId } = await tableWithOrder()
      await store.write(async ({ rowOrders }) => {
        await rowOrders.create(baseId, 'ord2')
        await rowOrders.move(baseId, 'ord1', places([1, 1], [2, 2], [3, 3]), 1)
        await rowOrders.move(baseId, 'ord2', places([1, 1]), 1)
      })
      const exists = (id: string) => store.read((tx) => tx.rowOrders.exists(baseId, id))
      expect(await exists('ord1')).toBe(true)
      let rounds = 0
      while (await store.write((tx) => tx.rowOrders.removeSome(baseId, 'ord1', 2))) rounds++
      expect(rounds).toBeLessThan(3)
      expect(await exists('ord1')).toBe(false)
      expect(await store.write((tx) => tx.rowOrders.removeSome(baseId, 'ord1', 2))).toBe(false)
      expect(await noted(baseId, 'ord2')).toHaveLength(1)
    })
  })
}

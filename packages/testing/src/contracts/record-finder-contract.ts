import { always } from '@gateleg/domain/queries/condition'
import type { RecordQuery } from '@gateleg/domain/queries/record-query'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './opened-storage.ts'
import { storedRecords } from './stored-records.ts'

/** Declares what every RecordFinder promises. */
export function recordFinderContract({ store }: OpenedStorage): void {
  const { tableWith, insert, markDeleted } = storedRecords(store)
  const upwards = (schema: TableSchema, place: number, isDescending = false): RecordQuery => {
    const field = schema.fields[place]
    return { condition: always, keys: field ? [{ field, isDescending }] : [] }
  }

  describe('every RecordFinder', () => {
    it('[STORE-92] finds living records in the order of the query, after a position', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[3], [null], [1], [2], [1]])
      await markDeleted(schema, 'rec4')
      const query = upwards(schema, 0)
      const idsAfter = async (after: object, take = 9, skip = 0) => {
        const page = { skip, take, ...after }
        const found = await store.read((tx) => tx.recordFinder.find(schema, query, page))
        return found.map(({ id }) => id)
      }
      expect(await idsAfter({})).toEqual(['rec2', 'rec3', 'rec5', 'rec1'])
      expect(await idsAfter({}, 2, 1)).toEqual(['rec3', 'rec5'])
      const [first, second] = await store.read((tx) =>
        tx.recordFinder.find(schema, query, { skip: 0, take: 2 }),
      )
      expect(first).toMatchObject({ id: 'rec2', values: [null] })
      expect(second).toMatchObject({ id: 'rec3', values: [1] })
      expect(await idsAfter({ after: first })).toEqual(['rec3', 'rec5', 'rec1'])
      expect(await idsAfter({ after: second })).toEqual(['rec5', 'rec1'])
      // It need not be that of a record that is still there.
      expect(await idsAfter({ after: { values: [2], autoNumber: 99 } })).toEqual(['rec1'])
    })

    it('[STORE-93] counts the living records of a condition', async () => {
      const schema = await tableWith(['number'])
      const [field] = schema.fields
      await insert(schema, [[3], [null], [1]])
      await markDeleted(schema, 'rec1')
      const count = (condition: RecordQuery['condition']) =>
        store.read((tx) => tx.recordFinder.count(schema, condition))
      expect(await count(always)).toBe(2)
      if (field) expect(await count({ kind: 'empty', field })).toBe(1)
    })
  })
}

import { always, type Condition } from '@gateleg/domain/queries/condition'
import type { RecordQuery } from '@gateleg/domain/queries/record-query'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { describe, expect, it } from 'vitest'
import { withLimits } from '../../with-limits.ts'
import type { OpenedStorage } from '../opened-storage.ts'
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

    it('[STORE-371] reads the records of a page along, with the cells of the columns that are named', async () => {
      const schema = await tableWith(['number', 'singleLineText'])
      const rows = [
        [3, 'c'],
        [null, 'n'],
        [1, 'a'],
        [2, null],
        [1, 'b'],
      ]
      await insert(schema, rows)
      await markDeleted(schema, 'rec4')
      const [number, text] = schema.columns.map(({ column }) => column)
      if (!number || !text) throw new Error('the table has two columns')
      const pages = [{}, { take: 2, skip: 1 }, { after: { values: [1], autoNumber: 3 } }]
      for (const isDescending of [false, true]) {
        const query = upwards(schema, 0, isDescending)
        for (const part of [...pages, { after: { values: [null], autoNumber: 1 } }]) {
          const page = { skip: 0, take: 9, ...part }
          await store.read(async (tx) => {
            const alone = await tx.recordFinder.find(schema, query, page)
            const { records } = await tx.records.findAll(
              schema,
              ['rec1', 'rec2', 'rec3', 'rec5'],
              'none',
            )
            const byId = new Map(records.map((record) => [record.id, record]))
            const along = await tx.recordFinder.find(schema, query, page, [number, text])
            expect(along).toEqual(alone.map((one) => ({ ...one, record: byId.get(one.id) })))
            const some = await tx.recordFinder.find(schema, query, page, [text])
            const ofText = ({ id }: { id: string }) => [null, byId.get(id)?.cells[1]]
            expect(some.map(({ record }) => record?.cells)).toEqual(alone.map(ofText))
          })
        }
      }
    })

    it('[STORE-371] finds the places alone of records that are long together', async () => {
      const schema = await tableWith(['number', 'longText'])
      await insert(schema, [
        [2, 'x'.repeat(600)],
        [1, 'y'.repeat(600)],
      ])
      const columns = schema.columns.map(({ column }) => column)
      const read = (take: number) =>
        store.read((tx) =>
          tx.recordFinder.find(schema, upwards(schema, 0), { skip: 0, take }, columns),
        )
      await withLimits({ recordsLengthInOneTurn: 1_000 }, async () => {
        expect((await read(1)).map(({ id, record }) => [id, record?.id])).toEqual([
          ['rec2', 'rec2'],
        ])
        expect((await read(2)).map(({ id, record }) => [id, record])).toEqual([
          ['rec2', undefined],
          ['rec1', undefined],
        ])
      })
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

    it('[STORE-241] groups the living records by their cells, and measures each group', async () => {
      const schema = await tableWith(['number', 'singleLineText'])
      const [number, text] = schema.fields
      if (!number || !text) throw new Error('the table has two fields')
      await insert(schema, [
        [1, 'b'],
        [3, null],
        [2, 'a'],
        [4, 'b'],
        [9, 'B'],
        [5, 'b'],
      ])
      await markDeleted(schema, 'rec6')
      const groups = (fields: readonly SchemaField[], most = 10) =>
        store.read((tx) => {
          const measures = [{ field: number, kind: 'sum' as const }]
          return tx.recordFinder.groups(schema, always, {
            fields,
            measures,
            most,
            withFirsts: true,
          })
        })
      // In the order of their first records; upper and lower case are two groups.
      expect(await groups([text])).toEqual([
        { identities: ['b'], firstId: 'rec1', records: 2, measured: [5] },
        { identities: [null], firstId: 'rec2', records: 1, measured: [3] },
        { identities: ['a'], firstId: 'rec3', records: 1, measured: [2] },
        { identities: ['B'], firstId: 'rec5', records: 1, measured: [9] },
      ])
      const both = await groups([text, number])
      expect(both.map(({ identities }) => identities)).toEqual([
        ...[
          ['b', 1],
          [null, 3],
          ['a', 2],
          ['b', 4],
          ['B', 9],
        ],
      ])
      expect(await groups([text], 2)).toHaveLength(2)
      const condition: Condition = { kind: 'empty', field: text }
      const grouping = { fields: [text], measures: [], most: 10, withFirsts: true }
      const few = await store.read((tx) => tx.recordFinder.groups(schema, condition, grouping))
      expect(few).toEqual([{ identities: [null], firstId: 'rec2', records: 1, measured: [] }])
    })

    it('[STORE-242] tells the days on which living records are, and the first of those that begin', async () => {
      const schema = await tableWith(['date', 'date'])
      const [start, end] = schema.fields
      if (!start || !end) throw new Error('the table has two fields')
      const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`
      await insert(schema, [
        [day(2), day(4)],
        [day(2), day(9)],
        [day(2), null],
        [day(5), day(3)],
        [day(1), day(3)],
        [day(2), day(4)],
        [null, day(3)],
      ])
      await markDeleted(schema, 'rec6')
      const days = { firstDay: '2026-03-02', lastDay: '2026-03-05', perDay: 2 }
      const found = await store.read((tx) => {
        const condition: Condition = { kind: 'not', condition: { kind: 'empty', field: start } }
        return tx.recordFinder.spans(schema, condition, { start, end, ...days })
      })
      const inOrder = found.spans.toSorted((a, b) => (a.from + a.to < b.from + b.to ? -1 : 1))
      expect(inOrder).toEqual([
        { from: '2026-03-02', to: '2026-03-02', records: 1 },
        { from: '2026-03-02', to: '2026-03-03', records: 1 },
        { from: '2026-03-02', to: '2026-03-04', records: 1 },
        { from: '2026-03-02', to: '2026-03-05', records: 1 },
        { from: '2026-03-05', to: '2026-03-05', records: 1 },
      ])
      // Of each day those that last longest.
      expect(found.ids.toSorted()).toEqual(['rec1', 'rec2', 'rec4'])
    })

    it('[STORE-243] tells the users whom cells of living records name, each once', async () => {
      const schema = await tableWith(['user', 'user'], { options: { isMultiple: true } })
      const [first] = schema.fields
      if (!first) throw new Error('the table has fields')
      await insert(schema, [
        [['usrA', 'usrB'], null],
        [['usrB'], ['usrC']],
        [null, null],
        [['usrD'], null],
      ])
      await markDeleted(schema, 'rec4')
      const usersOf = (most: number) =>
        store.read((tx) => tx.recordFinder.userIds(schema, always, first, most))
      expect((await usersOf(9)).toSorted()).toEqual(['usrA', 'usrB'])
      expect(await usersOf(1)).toHaveLength(1)
    })
  })
}

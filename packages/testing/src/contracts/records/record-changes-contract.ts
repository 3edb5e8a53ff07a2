import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import { describe, expect, it } from 'vitest'
import { maker, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import { by, cellsOf, deletion, storedRecords } from './stored-records.ts'

/** Declares what every RecordWriter promises of changes to records that there are. */
export function recordChangesContract({ store }: OpenedStorage): void {
  const { tableWith, insert, list, listAll } = storedRecords(store)

  describe('every RecordWriter: changes', () => {
    it('[STORE-18] changes the cells that are named, notes who and when, and counts a version', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      await insert(schema, [
        ['a', 1, ['x']],
        ['b', 2, null],
        ['c', 3, ['y']],
      ])
      const columns = schema.columns.slice(1).map(({ column }) => column)
      const changes = [
        { autoNumber: 3, values: [30, null] },
        { autoNumber: 2, values: [null, ['z']] },
      ]
      await store.write((tx) => tx.recordWriter.update(schema, columns, changes, by))
      const records = await list(schema)
      expect(cellsOf(records)).toEqual([
        ['a', 1, ['x']],
        ['b', null, ['z']],
        ['c', 30, null],
      ])
      expect(records.map(({ version }) => version)).toEqual([1, 2, 2])
      expect(records[0]).toMatchObject({ lastModifiedBy: null })
      expect(records[1]).toMatchObject({
        lastModifiedBy: 'usr2',
        lastModifiedTime: by.time,
        createdTime: '2026-01-01T00:00:00.000Z',
      })
    })

    it('[STORE-202] takes the mark of one operation from records, and removes those of another for good', async () => {
      const schema = await tableWith(['singleLineText'])
      await insert(schema, [['a'], ['b'], ['c'], ['d']])
      const before = await list(schema)
      const other = { ...deletion, operationId: 'oprOther' }
      const columns = schema.columns.map(({ column }) => column)
      await store.write(async ({ recordWriter, records }) => {
        await recordWriter.markDeleted(schema, ['rec1', 'rec2'], deletion)
        await recordWriter.markDeleted(schema, ['rec3'], other)
        const ids = ['rec1', 'rec2', 'rec3', 'rec4']
        const found = await records.findDeleted(schema, ids, columns)
        expect(cellsOf(found.records)).toEqual([['a'], ['b'], ['c']])
        expect(await records.deletionsOf(schema, ids)).toEqual(
          new Map([
            ['rec1', deletion.operationId],
            ['rec2', deletion.operationId],
            ['rec3', 'oprOther'],
          ]),
        )
        await recordWriter.restore(schema, ids, deletion.operationId)
        expect(await records.isDeleted(schema, 'rec3')).toBe(true)
      })
      expect(await list(schema)).toEqual(before.filter(({ id }) => id !== 'rec3'))
      await store.write(async ({ recordWriter, records }) => {
        await recordWriter.purge(schema, ['rec3', 'rec4'], 'oprNone')
        expect(await records.isDeleted(schema, 'rec3')).toBe(true)
        await recordWriter.purge(schema, ['rec3', 'rec4'], 'oprOther')
        expect(await records.isDeleted(schema, 'rec3')).toBe(false)
      })
      expect(await list(schema)).toHaveLength(3)
    })

    it('[STORE-90] lets records that are set aside take over values of one another, and no others', async () => {
      const schema = await tableWith(['singleLineText'], { unique: true })
      const table = newTable(schema.baseId)
      const field = schema.fields[0]?.field as Field
      await insert(schema, [['a'], ['b'], ['c'], ['d']])
      await store.write((tx) => tx.fields.requireValues(table, field))
      const columns = schema.columns.map(({ column }) => column)
      const before = await list(schema)
      /** Gives records values one by one, in this order. */
      const exchange = (
        numbers: readonly number[],
        ...steps: readonly (readonly [number, Cell | null])[]
      ) =>
        store.write((tx) =>
          tx.recordWriter.setAside(schema, numbers, async () => {
            for (const [autoNumber, value] of steps) {
              const changes = [{ autoNumber, values: [value] }]
              await tx.recordWriter.update(schema, columns, changes, by)
            }
          }),
        )
      const refused = { code: 'validation_error' }
      await expect(exchange([1], [1, 'b'])).rejects.toMatchObject(refused)
      await expect(exchange([1, 2], [1, 'c'], [2, 'a'])).rejects.toMatchObject(refused)
      await expect(exchange([1, 2], [1, 'b'])).rejects.toMatchObject(refused)
      await expect(exchange([1], [1, null])).rejects.toMatchObject(refused)
      await expect(exchange([1], [2, 'd'])).rejects.toMatchObject(refused)
      expect(await list(schema)).toEqual(before)
      await exchange([1, 2], [1, null], [2, 'a'], [1, 'b'])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec4'], deletion))
      // A record in the trash stays there, whoever names it.
      await exchange([1, 3, 4], [3, 'b'], [1, 'd'])
      const records = await list(schema)
      expect(cellsOf(records)).toEqual([['d'], ['a'], ['b']])
      expect(records.map(({ version }) => version)).toEqual([4, 2, 2])
      const add = store.write((tx) =>
        tx.recordWriter.insert(schema, [newRecord('rec5', ['d'])], maker),
      )
      await expect(add).rejects.toMatchObject(refused)
    })

    it('[STORE-18] changes 6,000 records at once', async () => {
      const schema = await tableWith(['number', 'date'])
      await insert(
        schema,
        Array.from({ length: 6_000 }, (_, index) => [index, null]),
      )
      const columns = schema.columns.map(({ column }) => column)
      const changes = Array.from({ length: 6_000 }, (_, index) => ({
        autoNumber: 6_000 - index,
        values: [-1 - index, by.time],
      }))
      await store.write((tx) => tx.recordWriter.update(schema, columns, changes, by))
      const expected = changes.toReversed().map(({ values }) => values)
      expect(cellsOf(await list(schema))).toEqual(expected)
    })

    it.each([1, 4, 300])(
      '[STORE-24] sets cells of %i records, deleted ones too, counting a version and nothing else',
      async (count) => {
        const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
        const rows = Array.from({ length: count }, (_, index) => [`${index}`, index, ['x']])
        await insert(schema, [...rows, ['other', null, null]])
        await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
        const columns = schema.columns.slice(1).map(({ column }) => column)
        const changes = rows.map((_, index) => ({
          autoNumber: index + 1,
          values: [null, [`y${index}`]],
        }))
        await store.write((tx) => tx.recordWriter.setCells(schema, columns, changes))
        const records = await listAll(schema)
        expect(cellsOf(records)).toEqual([
          ...rows.map(([text], index) => [text, null, [`y${index}`]]),
          ['other', null, null],
        ])
        for (const [index, record] of records.entries()) {
          expect(record).toMatchObject({
            version: index < count ? 2 : 1,
            lastModifiedBy: null,
            lastModifiedTime: '2026-01-01T00:00:00.000Z',
          })
        }
      },
    )

    it.each([2, 7, 199])(
      '[STORE-24] sets cells of 200 records of which many get the same, in %i ways',
      async (ways) => {
        const schema = await tableWith(['singleLineText', 'number', 'multipleSelect', 'date'])
        const rows = Array.from({ length: 200 }, () => ['old', 1, ['x'], null])
        await insert(schema, [...rows, ['other', 2, null, null]])
        await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
        const columns = schema.columns.map(({ column }) => column)
        const valuesOf = (index: number) => {
          const way = index % ways
          return way === 0 ? [null, null, null, null] : [`new ${way}`, way, [`y${way}`], by.time]
        }
        const changes = rows.map((_, i) => ({ autoNumber: i + 1, values: valuesOf(i) }))
        await store.write((tx) => tx.recordWriter.setCells(schema, columns, changes))
        const records = await listAll(schema)
        const expected = rows.map((_, index) => valuesOf(index))
        expect(cellsOf(records)).toEqual([...expected, ['other', 2, null, null]])
        expect(records.map(({ version }) => version)).toEqual([...rows.map(() => 2), 1])
      },
    )

    it.each([3, 1_300])(
      '[STORE-24] moves cells of %i records, whose versions stay',
      async (count) => {
        const schema = await tableWith(['singleLineText', 'number'])
        const rows = Array.from({ length: count }, (_, index) => [`${index}`, index])
        await insert(schema, [...rows, ['other', 1]])
        const [text, number] = schema.columns.map(({ column }) => column)
        if (!text || !number) throw new Error('the table has two columns')
        for (const sets of [(index: number) => index + 1, () => 7]) {
          const changes = rows.map((_, index) => ({ autoNumber: index + 1, values: [sets(index)] }))
          await store.write((tx) =>
            tx.recordWriter.setCells(schema, [number], changes, {
              emptied: [text],
              keepsVersions: true,
            }),
          )
          const records = await listAll(schema)
          expect(cellsOf(records)).toEqual([
            ...rows.map((_, index) => [null, sets(index)]),
            ['other', 1],
          ])
          expect(new Set(records.map(({ version }) => version))).toEqual(new Set([1]))
        }
      },
    )

    it.each([3, 1_300])('[STORE-24] empties other columns of %i records with it', async (count) => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      const rows = Array.from({ length: count }, (_, index) => [`${index}`, index, ['x']])
      await insert(schema, [...rows, ['other', 1, ['x']]])
      const [text, number, choices] = schema.columns.map(({ column }) => column)
      if (!text || !number || !choices) throw new Error('the table has three columns')
      for (const sets of [(index: number) => index + 1, () => 7]) {
        const changes = rows.map((_, index) => ({ autoNumber: index + 1, values: [sets(index)] }))
        await store.write((tx) =>
          tx.recordWriter.setCells(schema, [number], changes, { emptied: [text, choices] }),
        )
        expect(cellsOf(await list(schema))).toEqual([
          ...rows.map((_, index) => [null, sets(index), null]),
          ['other', 1, ['x']],
        ])
      }
    })
  })
}

import { describe, expect, it } from 'vitest'
import type { OpenedStorage } from './opened-storage.ts'
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
      expect(records[0]).toMatchObject({ lastModifiedBy: 'usr1' })
      expect(records[1]).toMatchObject({
        lastModifiedBy: 'usr2',
        lastModifiedTime: by.time,
        createdTime: '2026-01-01T00:00:00.000Z',
      })
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
            lastModifiedBy: 'usr1',
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
          await store.write((tx) => tx.recordWriter.moveCells(schema, [number], changes, [text]))
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
          tx.recordWriter.setCells(schema, [number], changes, [text, choices]),
        )
        expect(cellsOf(await list(schema))).toEqual([
          ...rows.map((_, index) => [null, sets(index), null]),
          ['other', 1, ['x']],
        ])
      }
    })
  })
}

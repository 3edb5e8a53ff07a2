import type { ScanStep } from '@gateleg/domain/records/reading/record-scanner'
import { scanRecords } from '@gateleg/domain/records/reading/scan-records'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { withLimits } from '../../with-limits.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import {
  collect,
  lengths,
  makeLargeRecords,
  placesOf,
  recordsLength,
  requireBounded,
} from './large-records.ts'
import { cellsOf, deletion, everything, storedRecords } from './stored-records.ts'

/** Declares what every RecordScanner promises. */
export function recordScannerContract({ store }: OpenedStorage): void {
  const { tableWith, insert, list, listAll } = storedRecords(store)

  describe('every RecordScanner', () => {
    it('[STORE-21] reads the cells of the columns that are named, and no others', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect', 'checkbox'])
      await insert(schema, [
        ['a', 1, ['x'], false],
        ['b', 2, null, true],
      ])
      const [, , tags, flag] = schema.columns.map(({ column }) => column)
      const some = [flag, tags] as Column[]
      await store.read(async (tx) => {
        const { records } = await tx.recordScanner.next(schema, everything, some)
        expect(cellsOf(records)).toEqual([
          [null, null, ['x'], false],
          [null, null, null, true],
        ])
      })
    })

    it('[STORE-21] reads nothing else of records but what tells them apart, where that is enough', async () => {
      const schema = await tableWith(['longText', 'number'])
      await insert(schema, [
        ['x'.repeat(1_000), 1],
        [null, 2],
      ])
      const [, number] = schema.columns.map(({ column }) => column)
      const some = [number] as Column[]
      const bare = {
        ...{ createdTime: '', lastModifiedTime: '', createdBy: '', lastModifiedBy: null },
        version: 0,
      }
      const [first, second] = [
        { ...bare, id: 'rec1', autoNumber: 1, cells: [null, 1] },
        { ...bare, id: 'rec2', autoNumber: 2, cells: [null, 2] },
      ]
      await store.write(async (tx) => {
        for (const areSmall of [true, false]) {
          const next = async (step: Partial<ScanStep>) =>
            (await tx.recordScanner.next(schema, { ...everything, areSmall, ...step }, some))
              .records
          expect(await next({ parts: 'keys' })).toEqual([first, second])
          expect(await next({ parts: 'numbers', lock: 'update' })).toEqual([
            { ...first, id: '' },
            { ...second, id: '' },
          ])
          const [long] = await next({ parts: 'keys', lock: 'update', withBytes: true })
          expect(long).toMatchObject(first)
          // Where no storage asks for them again, they aren't told.
          expect(long?.bytes ?? 1_008).toBeGreaterThan(1_000)
          expect(long?.bytes ?? 1_008).toBeLessThan(1_050)
        }
        const found = await tx.records.findToChange(schema, ['rec1', 'rec2'], some, 'keys')
        expect(found.records).toMatchObject([first, second])
        expect(found.records[0]?.bytes).toBeGreaterThan(1_000)
      })
    })

    it('[STORE-21] has deleted records in a step that asks for them', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[1], [2], [3]])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec2'], deletion))
      expect(cellsOf(await listAll(schema))).toEqual([[1], [2], [3]])
      expect(cellsOf(await list(schema))).toEqual([[1], [3]])
    })

    it('[STORE-22] counts the values of a column, of living and of deleted records, as far as it is asked', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      const counts = (most: number) =>
        store.read((tx) =>
          Promise.all(
            schema.columns.map(({ column }) => tx.recordScanner.countFilled(schema, column, most)),
          ),
        )
      const none = { living: 0, deleted: 0 }
      expect(await counts(9)).toEqual([none, none, none])
      await insert(schema, [
        ['a', 0, ['x']],
        ['', null, ['x']],
        ['c', null, null],
        ['d', 1, null],
      ])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
      expect(await counts(9)).toEqual([
        { living: 3, deleted: 1 },
        { living: 1, deleted: 1 },
        { living: 1, deleted: 1 },
      ])
      const [counted] = await counts(2)
      expect((counted?.living ?? 0) + (counted?.deleted ?? 0)).toBe(2)
    })

    it('[STORE-22] counts living records as far as it is asked, and tells the last number of all', async () => {
      const schema = await tableWith(['number'])
      const counts = (most: number) =>
        store.read(async (tx) => [
          await tx.recordScanner.count(schema, most),
          await tx.recordScanner.lastNumber(schema),
        ])
      expect(await counts(5)).toEqual([0, 0])
      const numbers = await insert(schema, [[1], [2], [3], [4]])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec4'], deletion))
      expect(await counts(5)).toEqual([3, numbers[3]])
      expect(await counts(3)).toEqual([3, numbers[3]])
      expect(await counts(2)).toEqual([2, numbers[3]])
    })

    it('[STORE-372] tells whether there were more records, and asks nothing again that it was told', async () => {
      const schema = await tableWith(['number'])
      const hadMoreThan = (records: number) =>
        store.read((tx) => {
          tx.recordScanner.readAhead(schema.tableId, records)
          return tx.recordScanner.hasHad(schema, records)
        })
      expect(await hadMoreThan(0)).toBe(false)
      await insert(schema, [[1], [2], [3]])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
      expect(await hadMoreThan(3)).toBe(false)
      expect(await hadMoreThan(2)).toBe(true)
      const asked = await store.read(async (tx) => {
        const scanner = tx.recordScanner
        const last = vi.spyOn(scanner, 'lastNumber')
        return [await scanner.hasHad(schema, 1), await scanner.hasHad(schema, 3), last.mock.calls]
      })
      expect(asked).toEqual([true, false, [[schema]]])
    })
  })

  describe('every RecordScanner: batches', () => {
    let schema: TableSchema

    beforeEach(async () => {
      schema = await makeLargeRecords(store)
    })

    it.each(['none', 'update'] as const)(
      '[STORE-50] end at a size while a table is walked through, held for: %s',
      async (lock) => {
        await withLimits({ recordsLength }, async () => {
          const batches = await store.write((tx) => collect(scanRecords(tx, schema, { lock })))
          expect(placesOf(batches)).toEqual([...lengths.keys()])
          requireBounded(batches)
        })
      },
    )

    it('[STORE-50] end at a size when cells of few columns are read', async () => {
      await withLimits({ recordsLength }, async () => {
        const [text, , number] = schema.columns.map(({ column }) => column)
        const read = (columns: (typeof text)[]) =>
          store.read((tx) =>
            collect(scanRecords(tx, schema, { columns: columns.flatMap((one) => one ?? []) })),
          )
        requireBounded(await read([text, number]))
        expect(await read([number])).toHaveLength(1)
      })
    })

    it('[STORE-63] are the same in whatever turns they are read', async () => {
      const read = () => store.read((tx) => tx.recordScanner.next(schema, { after: 3, take: 100 }))
      const inOne = await read()
      for (const recordsLengthInOneTurn of [1, 70_000, 130_000]) {
        expect(await withLimits({ recordsLengthInOneTurn }, read)).toEqual(inOne)
      }
    })
  })
}

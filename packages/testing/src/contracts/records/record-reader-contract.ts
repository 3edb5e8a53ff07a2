import type { Cell } from '@gateleg/domain/fields/cell'
import { limits } from '@gateleg/domain/limits'
import type { RecordRange } from '@gateleg/domain/records/reading/record-reader'
import { collectRecords, findRecords } from '@gateleg/domain/records/reading/scan-records'
import type {
  Column,
  ColumnField,
  SchemaLink,
  TableSchema,
} from '@gateleg/domain/schemas/table-schema'
import { beforeEach, describe, expect, it } from 'vitest'
import { withLimits } from '../../with-limits.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import {
  collect,
  idAt,
  lengths,
  makeLargeRecords,
  placesOf,
  recordsLength,
  requireBounded,
} from './large-records.ts'
import { cellsOf, deletion, storedRecords } from './stored-records.ts'

/** Declares what every RecordReader promises. */
export function recordReaderContract({ store }: OpenedStorage): void {
  const { tableWith, insert } = storedRecords(store)
  const page = async (schema: TableSchema, query: RecordRange) =>
    (await store.read((tx) => tx.records.page(schema, query))).records

  describe('every RecordReader', () => {
    it('[STORE-17] pages by numbers with some of the cells alone', async () => {
      const schema = await tableWith(['singleLineText', 'number'])
      const long = 'x'.repeat(200_000)
      await insert(schema, [
        ['a', 1],
        ['b', null],
        [long, 3],
      ])
      const [text, number] = schema.columns.map(({ column }) => column)
      if (!text || !number) throw new Error('the table has two columns')
      const empty = { id: '', createdBy: '', createdTime: '', lastModifiedTime: '' }
      const alone = (autoNumber: number, ...cells: (string | number | null)[]) => ({
        ...{ ...empty, autoNumber, lastModifiedBy: null, version: 0, cells },
      })
      const range = { after: 1, skip: 0, take: 9, parts: 'numbers' } as const
      expect(await page(schema, { ...range, columns: [number] })).toEqual([
        alone(2, null, null),
        alone(3, null, 3),
      ])
      expect(await page(schema, { ...range, skip: 1, columns: [number, text] })).toEqual([
        alone(3, long, 3),
      ])
      expect(await page(schema, { ...range, columns: [] })).toEqual([
        alone(2, null, null),
        alone(3, null, null),
      ])
    })

    it('[STORE-360] finds records that a link leads to one, whose cells are not yet as given', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      const [text, number, list] = schema.columns
      if (!text || !number || !list) throw new Error('the table has three columns')
      const end = {
        ...{ baseId: schema.baseId, ownerFieldId: 'fldToShare', isOwner: true },
        relationship: 'manyOne',
      } as const
      const link = { ...list, link: { end } as SchemaLink }
      const toX = { id: 'x' }
      await insert(schema, [
        ['a', 1, toX],
        ['b', 1, toX],
        ['a', null, toX],
        ['é'.repeat(500), 1, { ...toX, title: 'X' }],
        ['b', 2, { id: 'y' }],
        ['b', 2, toX],
      ])
      await store.write(async (tx) => {
        await tx.links.create(end)
        const ids = [1, 2, 3, 4, 5, 6].map((n) => [`rec${n}`, [n === 5 ? 'y' : 'x']] as const)
        await tx.links.replace(end, new Map(ids))
        await tx.recordWriter.markDeleted(schema, ['rec6'], deletion)
      })
      const find = async (
        fields: readonly ColumnField[],
        values: readonly (Cell | null)[],
        foreignId = 'x',
        most = 10,
      ) => {
        const columns = fields.map(({ column }) => column)
        const shared = { link, foreignId, most, columns, values }
        const found = await store.write((tx) => tx.records.findToShare(schema, shared))
        expect(found.bytes.length).toBe(found.ids.length)
        return found
      }
      const idsOf = async (...asked: Parameters<typeof find>) =>
        (await find(...asked)).ids.toSorted()
      expect(await idsOf([text], ['a'])).toEqual(['rec2', 'rec4'])
      expect(await idsOf([text, number], ['a', 1])).toEqual(['rec2', 'rec3', 'rec4'])
      expect(await idsOf([number], [null])).toEqual(['rec1', 'rec2', 'rec4'])
      expect(await idsOf([list], [toX])).toEqual(['rec4'])
      expect(await idsOf([text], ['b'], 'y')).toEqual([])
      expect(await idsOf([text], [null], 'nobody')).toEqual([])
      expect((await find([text], ['a'])).lookedAt).toBe(4)
      expect((await find([text], ['a'], 'x', 2)).lookedAt).toBe(2)
      expect((await find([text], ['a'], 'nobody')).lookedAt).toBe(0)
      const { ids, autoNumbers, bytes } = await find([number], [7])
      const place = ids.indexOf('rec4')
      expect(autoNumbers[place]).toBe(4)
      expect(bytes[place]).toBeGreaterThan(1_000)
      expect(bytes[ids.indexOf('rec1')]).toBeLessThan(100)
    })

    it('[STORE-17] pages by numbers: after one of them, passing over some', async () => {
      const schema = await tableWith(['number'])
      const numbers = await insert(
        schema,
        Array.from({ length: 10 }, (_, index) => [index]),
      )
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec2', 'rec5'], deletion))
      const after = numbers[2] ?? 0
      expect(cellsOf(await page(schema, { after, skip: 0, take: 3 }))).toEqual([[3], [5], [6]])
      expect(cellsOf(await page(schema, { after, skip: 2, take: 3 }))).toEqual([[6], [7], [8]])
      expect(cellsOf(await page(schema, { after: 0, skip: 8, take: 3 }))).toEqual([])
      expect(cellsOf(await page(schema, { after: 0, skip: 0, take: 2 }))).toEqual([[0], [2]])
    })

    it('[STORE-99] tells of a record that is deleted, and of none other', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[1], [2]])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec2'], deletion))
      const areDeleted = await store.read((tx) =>
        Promise.all(['rec1', 'rec2', 'rec3'].map((id) => tx.records.isDeleted(schema, id))),
      )
      expect(areDeleted).toEqual([false, true, false])
    })

    it('[STORE-21] reads the cells of the columns that are named of records by id, and no others', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect', 'checkbox'])
      await insert(schema, [
        ['a', 1, ['x'], false],
        ['b', 2, null, true],
      ])
      const [text] = schema.columns.map(({ column }) => column)
      await store.read(async (tx) => {
        const [found] = (await tx.records.findAll(schema, ['rec2'], 'none', [text as Column]))
          .records
        expect(found).toMatchObject({ id: 'rec2', version: 1, cells: ['b', null, null, null] })
        const [bare] = (await tx.records.findAll(schema, ['rec1'], 'none', [])).records
        expect(bare).toMatchObject({ id: 'rec1', cells: [null, null, null, null] })
        const [whole] = (await tx.records.findAll(schema, ['rec1'], 'none')).records
        expect(whole).toMatchObject({ id: 'rec1', cells: ['a', 1, ['x'], false] })
      })
    })

    it('[STORE-19] answers deleted records as absent', async () => {
      const schema = await tableWith(['singleLineText'])
      await insert(schema, [['a'], ['b']])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1', 'recNone'], deletion))
      await store.read(async (tx) => {
        expect(await tx.records.find(schema, 'rec1', 'none')).toBeUndefined()
        expect(await tx.records.find(schema, 'recNone', 'none')).toBeUndefined()
        const { records } = await tx.records.findAll(schema, ['rec1', 'rec2', 'recNone'], 'none')
        expect(records.map(({ id }) => id)).toEqual(['rec2'])
      })
      expect(cellsOf(await page(schema, { after: 0, skip: 0, take: 9 }))).toEqual([['b']])
    })

    it('[STORE-23] finds the first living record for each text', async () => {
      const schema = await tableWith(['number', 'singleLineText'])
      const texts = ['b', 'a', 'b', 'A', 'a', 'ä', 'c', 'a ']
      await insert(
        schema,
        texts.map((text) => [1, text]),
      )
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1', 'rec7'], deletion))
      const column = schema.columns[1]?.column as Column
      const find = async (...wanted: string[]) => {
        const found = await store.read((tx) => tx.records.findByText(schema, column, wanted))
        return Object.fromEntries(found.map(({ recordId, value }) => [value, recordId]))
      }
      expect(await find('a', 'b', 'c', 'ä', 'none')).toEqual({ a: 'rec2', b: 'rec3', ä: 'rec6' })
      expect(await find('A', 'B')).toEqual({ A: 'rec4' })
      expect(await find()).toEqual({})
    })
  })

  describe('every RecordReader: batches', () => {
    let schema: TableSchema

    beforeEach(async () => {
      schema = await makeLargeRecords(store)
    })

    it.each(['none', 'update'] as const)(
      '[STORE-50] end at a size while ids are looked up, held for: %s',
      async (lock) => {
        const ids = [...[...lengths.keys()].map(idAt), idAt(3), 'rec', 'recNone', 'é']
        await withLimits({ recordsLength }, async () => {
          const batches = await store.write((tx) => collect(findRecords(tx, schema, ids, lock)))
          const found = placesOf(batches) as number[]
          expect(found.toSorted((a, b) => a - b)).toEqual([...lengths.keys()])
          requireBounded(batches)
        })
      },
    )

    it('[STORE-63] are the same in whatever turns they are read', async () => {
      const ids = [...lengths.keys()].map(idAt)
      const read = () =>
        store.read(async (tx) => {
          const pages = [5_000, recordsLength, 250_000].flatMap((length) =>
            [1, 7, 100].map((take) => tx.records.page(schema, { after: 3, skip: 2, take, length })),
          )
          return [...(await Promise.all(pages)), await tx.records.findAll(schema, ids, 'none')]
        })
      const inOne = await read()
      for (const recordsLengthInOneTurn of [1, 70_000, 130_000]) {
        expect(await withLimits({ recordsLengthInOneTurn }, read)).toEqual(inOne)
      }
      for (const valuesInOneTurn of [1, 50, 300]) {
        expect(await withLimits({ valuesInOneTurn }, read)).toEqual(inOne)
      }
    })

    it('[STORE-50] are ended by the number of records as before', async () => {
      const take = (count: number) =>
        store.read((tx) => tx.records.page(schema, { after: 0, skip: 1, take: count }))
      expect(await take(2)).toMatchObject({ records: [{ autoNumber: 2 }, { autoNumber: 3 }] })
      expect((await take(2)).isCut).toBe(false)
      expect((await take(100)).records).toHaveLength(lengths.length - 1)
    })

    it('[STORE-50] are refused together when they are more than one request may hold', async () => {
      const ids = [...lengths.keys()].map(idAt)
      const collectAll = () => store.read((tx) => collectRecords(tx, schema, ids, 'none'))
      expect((await collectAll()).size).toBe(lengths.length)
      expect(limits.recordsLengthPerRequest).toBeGreaterThan(limits.recordsLength)
      await withLimits({ recordsLength, recordsLengthPerRequest: 400_000 }, async () => {
        await expect(collectAll()).rejects.toMatchObject({ code: 'validation_error' })
      })
    })
  })
}

import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { RecordPage } from '@gateleg/domain/records/record-repository'
import type { StoredRecord } from '@gateleg/domain/records/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finiteNumber, timestamp } from '../arbitraries/field-options.ts'
import { storableText } from '../arbitraries/text.ts'
import { makeTable } from '../make-table.ts'
import { newRecord, newTable } from '../stored-rows.ts'
import type { OpenedStorage } from './opened-storage.ts'

/** What the cells of a column of each kind can be. */
const cellsByType: Partial<Record<FieldTypeName, fc.Arbitrary<Cell | null>>> = {
  singleLineText: orEmpty(storableText()),
  longText: orEmpty(
    fc.oneof(
      storableText(2_000),
      storableText(2_000).map((text) => text.repeat(50)),
    ),
  ),
  number: orEmpty(finiteNumber.map((value) => value + 0)),
  rating: orEmpty(fc.integer({ min: 1, max: 10 })),
  date: orEmpty(timestamp),
  checkbox: orEmpty(fc.boolean()),
  multipleSelect: orEmpty(fc.uniqueArray(storableText(), { minLength: 1 })),
  user: orEmpty(storableText()),
  button: orEmpty(fc.nat()),
}

function orEmpty(cells: fc.Arbitrary<Cell>): fc.Arbitrary<Cell | null> {
  return fc.option(cells, { freq: 6 })
}

const by = { userId: 'usr2', time: '2026-02-03T04:05:06.007Z' }
const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }
const everything = { after: 0, skip: 0, take: 10_000 }

/** Declares what every RecordRepository promises. */
export function recordRepositoryContract({ store }: OpenedStorage): void {
  const tableWith = (types: readonly FieldTypeName[], settings: Partial<Field> = {}) =>
    makeTable(store, types, settings)

  const insert = (schema: TableSchema, rows: readonly (readonly (Cell | null)[])[]) =>
    store.write((tx) =>
      tx.records.insert(
        schema,
        rows.map((cells, index) => newRecord(`rec${index + 1}`, cells)),
      ),
    )
  const list = async (schema: TableSchema, page: RecordPage = everything) =>
    (await store.read((tx) => tx.records.page(schema, page))).records
  const cellsOf = (records: readonly StoredRecord[]) => records.map(({ cells }) => cells)

  describe('every RecordRepository: cells', () => {
    it('[STORE-15] always gives back the cells that were written', async () => {
      const types = Object.keys(cellsByType) as FieldTypeName[]
      const schema = await tableWith(types)
      const row = fc.tuple(...Object.values(cellsByType))
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
          const ids = rows.map((_, index) => `rec${index}`)
          await store
            .write(async (tx) => {
              const records = rows.map((cells, index) => newRecord(`rec${index}`, cells))
              await tx.records.insert(schema, records)
              const { records: found } = await tx.records.findAll(schema, ids, 'none')
              const byId = new Map(found.map((record) => [record.id, record.cells]))
              expect(ids.map((id) => byId.get(id))).toEqual(rows)
              throw new Undo()
            })
            .catch(onlyUndo)
        }),
        { numRuns: 40 },
      )
    })

    it('[STORE-15] always gives back the cells that were changed', async () => {
      const types = Object.keys(cellsByType) as FieldTypeName[]
      const schema = await tableWith(types)
      const arbitraries = Object.values(cellsByType)
      await insert(schema, [arbitraries.map(() => null)])
      const columns = schema.columns.map(({ column }) => column)
      await fc.assert(
        fc.asyncProperty(fc.tuple(...arbitraries), async (values) => {
          await store.write((tx) =>
            tx.records.update(schema, columns, [{ autoNumber: 1, values }], by),
          )
          expect(cellsOf(await list(schema))).toEqual([values])
        }),
        { numRuns: 40 },
      )
    })
  })

  describe('every RecordRepository: numbers', () => {
    it.each([1, 3, 33, 300, 6_000])(
      '[STORE-16] numbers %i records in their order',
      async (count) => {
        const schema = await tableWith(['singleLineText', 'number'])
        const rows = Array.from({ length: count }, (_, index) => [`row ${index}`, index])
        const numbers = await insert(schema, rows)
        expect(numbers).toEqual(rows.map((_, index) => index + 1))
        expect(cellsOf(await list(schema))).toEqual(rows)
      },
    )

    it('[STORE-16] gives no number twice, whatever is deleted or fails', async () => {
      const schema = await tableWith(['singleLineText'])
      const add = (ids: readonly string[]) =>
        store.write((tx) =>
          tx.records.insert(
            schema,
            ids.map((id) => newRecord(id, [id])),
          ),
        )
      const numbers = [...(await add(['rec1', 'rec2']))]
      await store.write((tx) => tx.records.markDeleted(schema, ['rec2'], deletion))
      await expect(add(['rec3', 'rec1'])).rejects.toThrow()
      numbers.push(...(await add(['rec4'])))
      const others = await Promise.all([5, 6, 7, 8].map((n) => add([`rec${n}`, `rec${n}x`])))
      numbers.push(...others.flat())
      expect(new Set(numbers).size).toBe(11)
      expect(numbers.toSorted((a, b) => a - b).slice(0, 3)).toEqual(numbers.slice(0, 3))
      for (const [first = 0, second = 0] of others) expect(second).toBeGreaterThan(first)
    })

    it('[STORE-17] pages by numbers: after one of them, passing over some', async () => {
      const schema = await tableWith(['number'])
      const numbers = await insert(
        schema,
        Array.from({ length: 10 }, (_, index) => [index]),
      )
      await store.write((tx) => tx.records.markDeleted(schema, ['rec2', 'rec5'], deletion))
      const after = numbers[2] ?? 0
      expect(cellsOf(await list(schema, { after, skip: 0, take: 3 }))).toEqual([[3], [5], [6]])
      expect(cellsOf(await list(schema, { after, skip: 2, take: 3 }))).toEqual([[6], [7], [8]])
      expect(cellsOf(await list(schema, { after: 0, skip: 8, take: 3 }))).toEqual([])
      expect(cellsOf(await list(schema, { after: 0, skip: 0, take: 2 }))).toEqual([[0], [2]])
    })
  })

  describe('every RecordRepository: what is read', () => {
    it('[STORE-21] reads the cells of the columns that are named, and no others', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect', 'checkbox'])
      await insert(schema, [
        ['a', 1, ['x'], false],
        ['b', 2, null, true],
      ])
      const [text, , tags, flag] = schema.columns.map(({ column }) => column)
      const some = [flag, tags] as Column[]
      await store.read(async (tx) => {
        expect(cellsOf((await tx.records.page(schema, everything, some)).records)).toEqual([
          [null, null, ['x'], false],
          [null, null, null, true],
        ])
        const [found] = (await tx.records.findAll(schema, ['rec2'], 'none', [text as Column]))
          .records
        expect(found).toMatchObject({ id: 'rec2', version: 1, cells: ['b', null, null, null] })
        const [bare] = (await tx.records.findAll(schema, ['rec1'], 'none', [])).records
        expect(bare).toMatchObject({ id: 'rec1', cells: [null, null, null, null] })
      })
    })

    it('[STORE-21] has deleted records in a page that asks for them', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[1], [2], [3]])
      await store.write((tx) => tx.records.markDeleted(schema, ['rec2'], deletion))
      const pageOf = (withDeleted: boolean) => list(schema, { ...everything, withDeleted })
      expect(cellsOf(await pageOf(true))).toEqual([[1], [2], [3]])
      expect(cellsOf(await pageOf(false))).toEqual([[1], [3]])
    })

    it('[STORE-19] answers deleted records as absent', async () => {
      const schema = await tableWith(['singleLineText'])
      await insert(schema, [['a'], ['b']])
      await store.write((tx) => tx.records.markDeleted(schema, ['rec1', 'recNone'], deletion))
      await store.read(async (tx) => {
        expect(await tx.records.find(schema, 'rec1', 'none')).toBeUndefined()
        expect(await tx.records.find(schema, 'recNone', 'none')).toBeUndefined()
        const { records } = await tx.records.findAll(schema, ['rec1', 'rec2', 'recNone'], 'none')
        expect(records.map(({ id }) => id)).toEqual(['rec2'])
      })
      expect(cellsOf(await list(schema))).toEqual([['b']])
    })

    it('[STORE-22] counts living records as far as it is asked, and tells the last number of all', async () => {
      const schema = await tableWith(['number'])
      const counts = (most: number) =>
        store.read(async (tx) => [
          await tx.records.count(schema, most),
          await tx.records.lastNumber(schema),
        ])
      expect(await counts(5)).toEqual([0, 0])
      const numbers = await insert(schema, [[1], [2], [3], [4]])
      await store.write((tx) => tx.records.markDeleted(schema, ['rec4'], deletion))
      expect(await counts(5)).toEqual([3, numbers[3]])
      expect(await counts(3)).toEqual([3, numbers[3]])
      expect(await counts(2)).toEqual([2, numbers[3]])
    })

    it('[STORE-23] finds the first living record for each text', async () => {
      const schema = await tableWith(['number', 'singleLineText'])
      const texts = ['b', 'a', 'b', 'A', 'a', 'ä', 'c', 'a ']
      await insert(
        schema,
        texts.map((text) => [1, text]),
      )
      await store.write((tx) => tx.records.markDeleted(schema, ['rec1', 'rec7'], deletion))
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

  describe('every RecordRepository: what the storage itself refuses', () => {
    const refused = { code: 'validation_error' }

    it.each([
      ['singleLineText', 'a', 'b'],
      ['longText', noise('a'), noise('b')],
      ['number', 0.1, -7],
      ['date', '2026-01-01T00:00:00.001Z', '0001-01-01T00:00:00.000Z'],
    ] as const)('[STORE-20] a value that another record has in a unique %s', async (type, a, b) => {
      const schema = await tableWith([type], { unique: true })
      const columns = schema.columns.map(({ column }) => column)
      await insert(schema, [[a], [null], [null]])
      const add = (value: Cell) =>
        store.write((tx) =>
          tx.records.insert(schema, [newRecord(`rec${String(value)[0]}`, [value])]),
        )
      const put = (autoNumber: number, value: Cell) =>
        store.write((tx) =>
          tx.records.update(schema, columns, [{ autoNumber, values: [value] }], by),
        )
      await expect(add(a)).rejects.toMatchObject(refused)
      await expect(put(2, a)).rejects.toMatchObject(refused)
      await put(2, b)
      const holders = await store.read((tx) =>
        tx.records.findHolders(schema, columns[0] as Column, [b, a]),
      )
      expect(new Set(holders)).toEqual(
        new Set([
          { recordId: 'rec1', value: a },
          { recordId: 'rec2', value: b },
        ]),
      )
      await store.write((tx) => tx.records.markDeleted(schema, ['rec1'], deletion))
      await put(3, a)
      expect(cellsOf(await list(schema))).toEqual([[b], [a]])
    })

    it('[STORE-20] a value that another record takes at the same time', async () => {
      const schema = await tableWith(['singleLineText'], { unique: true })
      const adding = ['rec1', 'rec2', 'rec3', 'rec4'].map((id) =>
        store.write((tx) => tx.records.insert(schema, [newRecord(id, ['a'])])),
      )
      const outcomes = await Promise.allSettled(adding)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused)
      }
    })

    it('[STORE-20] an empty cell that is required', async () => {
      const schema = await tableWith(['singleLineText', 'number'])
      const field = schema.fields[1]?.field as Field
      const table = newTable(schema.baseId)
      await insert(schema, [['a', 1]])
      await store.write((tx) => tx.fields.requireValues(table, field))
      const columns = schema.columns.slice(1).map(({ column }) => column)
      await expect(insert(schema, [['b', null]])).rejects.toThrow()
      const emptying = store.write((tx) =>
        tx.records.update(schema, columns, [{ autoNumber: 1, values: [null] }], by),
      )
      await expect(emptying).rejects.toMatchObject(refused)
      expect(cellsOf(await list(schema))).toEqual([['a', 1]])
    })
  })
}

/** A long text that no index can compress. */
function noise(start: string): string {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCodePoint(0x4e00 + (state % 20_000))
  }
  return start + Array.from({ length: 50_000 }, next).join('')
}

/** Undoes what a run of a property did. */
class Undo extends Error {}

function onlyUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error
}

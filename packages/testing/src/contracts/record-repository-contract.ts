import type { Field } from '@gateleg/domain/fields/field'
import type { Cell, FieldTypeName } from '@gateleg/domain/fields/field-type'
import type { Column, TableSchema } from '@gateleg/domain/fields/table-schema'
import type { StoredRecord } from '@gateleg/domain/records/stored-record'
import type { OpenStorage, Store } from '@gateleg/domain/store'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { finiteNumber, timestamp } from '../arbitraries/field-options.ts'
import { storableText } from '../arbitraries/text.ts'
import { newBase, newField, newRecord, newTable } from '../stored-rows.ts'
import type { StorageUnderTest } from './store-contract.ts'

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
  checkbox: orEmpty(fc.constant(true)),
  multipleSelect: orEmpty(fc.uniqueArray(storableText(), { minLength: 1 })),
  user: orEmpty(storableText()),
  button: orEmpty(fc.nat()),
}

function orEmpty(cells: fc.Arbitrary<Cell>): fc.Arbitrary<Cell | null> {
  return fc.option(cells, { freq: 6 })
}

const noEvents = { onCommit: () => {} }
const by = { userId: 'usr2', time: '2026-02-03T04:05:06.007Z' }
const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }
const everything = { after: 0, skip: 0, take: 10_000 }

/** Declares what every RecordRepository promises. */
export function recordRepositoryContract({ open }: StorageUnderTest): void {
  let storage: OpenStorage
  let store: Store

  beforeEach(async () => {
    storage = await (await open()).first.open(noEvents)
    store = storage.store
  })
  afterEach(() => storage.close())

  let bases = 0
  /** A table of fields of the types, in a base of its own. */
  async function tableWith(
    types: readonly FieldTypeName[],
    settings: Partial<Field> = {},
  ): Promise<TableSchema> {
    const base = newBase(`bse${process.pid}x${Date.now()}x${bases++}`)
    const table = newTable(base.id)
    const fields = types.map((type, index) => newField(table, index + 1, type, settings))
    return store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      return tx.fields.schemaOf(table)
    })
  }

  const insert = (schema: TableSchema, rows: readonly (readonly (Cell | null)[])[]) =>
    store.write((tx) =>
      tx.records.insert(
        schema,
        rows.map((cells, index) => newRecord(`rec${index + 1}`, cells)),
      ),
    )
  const list = (schema: TableSchema, page = everything) =>
    store.read((tx) => tx.records.page(schema, page))
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
              const found = await tx.records.findAll(schema, ids, 'none')
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
            tx.records.update(schema, columns, [{ recordId: 'rec1', values }], by),
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

  describe('every RecordRepository: changes', () => {
    it('[STORE-18] changes the cells that are named, notes who and when, and counts a version', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      await insert(schema, [
        ['a', 1, ['x']],
        ['b', 2, null],
        ['c', 3, ['y']],
      ])
      const columns = schema.columns.slice(1).map(({ column }) => column)
      const changes = [
        { recordId: 'rec3', values: [30, null] },
        { recordId: 'rec2', values: [null, ['z']] },
      ]
      await store.write((tx) => tx.records.update(schema, columns, changes, by))
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
        recordId: `rec${6_000 - index}`,
        values: [-1 - index, by.time],
      }))
      await store.write((tx) => tx.records.update(schema, columns, changes, by))
      const expected = changes.toReversed().map(({ values }) => values)
      expect(cellsOf(await list(schema))).toEqual(expected)
    })

    it('[STORE-18] fills a column, without counting a version', async () => {
      const schema = await tableWith(['singleLineText', 'multipleSelect', 'checkbox'])
      await insert(schema, [['a', null, null]])
      for (const { column } of schema.columns) {
        const value = { TEXT: 'x', JSON: ['y'] as const, BOOLEAN: true }[column.type as 'TEXT']
        await store.write((tx) => tx.records.fill(schema, column, value))
      }
      const [record] = await list(schema)
      expect(record).toMatchObject({ cells: ['x', ['y'], true], version: 1 })
    })

    it('[STORE-18] fills a column whose name was that of a column of another type', async () => {
      const schema = await tableWith(['singleLineText'])
      const table = newTable(schema.baseId)
      await insert(schema, [['a']])
      for (const [type, value] of [
        ['number', 7],
        ['singleLineText', 'x'],
        ['date', by.time],
      ] as const) {
        const filling = store.write(async (tx) => {
          await tx.fields.insert(table, newField(table, 2, type))
          const { schemaTag } = await tx.tables.changeSchema(table.id, `tag ${type}`, by.time)
          const changed = await tx.fields.schemaOf({ ...table, schemaTag })
          const column = changed.columns[1]?.column as Column
          await tx.records.fill(changed, column, value)
          expect((await tx.records.page(changed, everything))[0]?.cells).toEqual(['a', value])
          throw new Undo()
        })
        await filling.catch(onlyUndo)
      }
    })

    it('[STORE-19] answers deleted records as absent', async () => {
      const schema = await tableWith(['singleLineText'])
      await insert(schema, [['a'], ['b']])
      await store.write((tx) => tx.records.markDeleted(schema, ['rec1', 'recNone'], deletion))
      await store.read(async (tx) => {
        expect(await tx.records.find(schema, 'rec1', 'none')).toBeUndefined()
        expect(await tx.records.find(schema, 'recNone', 'none')).toBeUndefined()
        const found = await tx.records.findAll(schema, ['rec1', 'rec2', 'recNone'], 'none')
        expect(found.map(({ id }) => id)).toEqual(['rec2'])
      })
      expect(cellsOf(await list(schema))).toEqual([['b']])
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
      const put = (recordId: string, value: Cell) =>
        store.write((tx) => tx.records.update(schema, columns, [{ recordId, values: [value] }], by))
      await expect(add(a)).rejects.toMatchObject(refused)
      await expect(put('rec2', a)).rejects.toMatchObject(refused)
      await put('rec2', b)
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
      await put('rec3', a)
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
        tx.records.update(schema, columns, [{ recordId: 'rec1', values: [null] }], by),
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

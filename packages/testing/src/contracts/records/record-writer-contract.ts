import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { Column } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finiteNumber, timestamp } from '../../arbitraries/field-options.ts'
import { storableText } from '../../arbitraries/text.ts'
import { madeRecord, maker, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import { by, cellsOf, deletion, onlyUndo, storedRecords, Undo } from './stored-records.ts'

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

/** Declares what every RecordWriter promises of the records that it adds, and of what it refuses. */
export function recordWriterContract({ store }: OpenedStorage): void {
  const { tableWith, insert, list } = storedRecords(store)

  describe('every RecordWriter: cells', () => {
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
              await tx.recordWriter.insert(schema, records, maker)
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
            tx.recordWriter.update(schema, columns, [{ autoNumber: 1, values }], by),
          )
          expect(cellsOf(await list(schema))).toEqual([values])
        }),
        { numRuns: 40 },
      )
    })
  })

  describe('every RecordWriter: numbers', () => {
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
          tx.recordWriter.insert(
            schema,
            ids.map((id) => newRecord(id, [id])),
            maker,
          ),
        )
      const numbers = [...(await add(['rec1', 'rec2']))]
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec2'], deletion))
      await expect(add(['rec3', 'rec1'])).rejects.toThrow()
      numbers.push(...(await add(['rec4'])))
      const others = await Promise.all([5, 6, 7, 8].map((n) => add([`rec${n}`, `rec${n}x`])))
      numbers.push(...others.flat())
      expect(new Set(numbers).size).toBe(11)
      expect(numbers.toSorted((a, b) => a - b).slice(0, 3)).toEqual(numbers.slice(0, 3))
      for (const [first = 0, second = 0] of others) expect(second).toBeGreaterThan(first)
    })
  })

  describe('every RecordWriter: numbers that records have already', () => {
    it('[STORE-270] keeps numbers with their gaps, and gives greater ones after them', async () => {
      const schema = await tableWith(['singleLineText', 'multipleSelect'])
      const [first, second] = [3, 1_000].map((autoNumber) =>
        madeRecord(`rec${autoNumber}`, autoNumber, [`row ${autoNumber}`, ['a', 'b']]),
      )
      await store.write((tx) => tx.recordWriter.insertNumbered(schema, [first, second] as never))
      expect(await list(schema)).toEqual([first, second])
      expect(await insert(schema, [['new', null]])).toEqual([1_001])
    })

    it('[STORE-270] keeps those that operations deleted away until these are undone', async () => {
      const schema = await tableWith(['singleLineText'], { unique: true })
      const [living, deleted] = [3, 7].map((autoNumber) =>
        madeRecord(`rec${autoNumber}`, autoNumber, ['same']),
      ) as [StoredRecord, StoredRecord]
      const deletions = new Map([[deleted.id, deletion]])
      await store.write(async (tx) => {
        await tx.recordWriter.insertNumbered(schema, [living, deleted], deletions)
        expect(await tx.records.deletionsOf(schema, [living.id, deleted.id])).toEqual(
          new Map([[deleted.id, deletion.operationId]]),
        )
      })
      expect(await list(schema)).toEqual([living])
      await store.write(async (tx) => {
        await tx.recordWriter.markDeleted(schema, [living.id], { ...deletion, operationId: 'opr9' })
        await tx.recordWriter.restore(schema, [deleted.id], deletion.operationId)
      })
      expect(await list(schema)).toEqual([deleted])
    })

    it('[STORE-270] refuses what is refused of any other record', async () => {
      const schema = await tableWith(['singleLineText'], { unique: true })
      const twice = [1, 2].map((autoNumber) => madeRecord(`rec${autoNumber}`, autoNumber, ['same']))
      const adding = store.write((tx) => tx.recordWriter.insertNumbered(schema, twice))
      await expect(adding).rejects.toMatchObject({ code: 'validation_error' })
      expect(await list(schema)).toEqual([])
    })
  })

  describe('every RecordWriter: what the storage itself refuses', () => {
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
          tx.recordWriter.insert(schema, [newRecord(`rec${String(value)[0]}`, [value])], maker),
        )
      const put = (autoNumber: number, value: Cell) =>
        store.write((tx) =>
          tx.recordWriter.update(schema, columns, [{ autoNumber, values: [value] }], by),
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
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
      await put(3, a)
      expect(cellsOf(await list(schema))).toEqual([[b], [a]])
    })

    it('[STORE-20] a value that another record takes at the same time', async () => {
      const schema = await tableWith(['singleLineText'], { unique: true })
      const adding = ['rec1', 'rec2', 'rec3', 'rec4'].map((id) =>
        store.write((tx) => tx.recordWriter.insert(schema, [newRecord(id, ['a'])], maker)),
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
        tx.recordWriter.update(schema, columns, [{ autoNumber: 1, values: [null] }], by),
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

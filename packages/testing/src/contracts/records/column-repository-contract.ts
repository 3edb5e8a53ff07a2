import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maker, newField, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import {
  allNumbers,
  by,
  cellsOf,
  deletion,
  everything,
  onlyUndo,
  storedRecords,
  Undo,
} from './stored-records.ts'

/** Declares what every ColumnRepository promises. */
export function columnRepositoryContract({ store }: OpenedStorage): void {
  const { tableWith, insert, list, listAll } = storedRecords(store)

  describe('every ColumnRepository', () => {
    it('[STORE-74] tells whether living records have the same value in a column, or none', async () => {
      const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
      const told = (asked: TableSchema) =>
        store.write(async (tx) => {
          const told: (readonly [boolean, boolean])[] = []
          for (const { column } of asked.columns) {
            const hasRepeats = await tx.columns.hasRepeats(asked, column)
            told.push([hasRepeats, await tx.columns.hasEmpty(asked, column)])
          }
          return told
        })
      const [none, repeated, empty] = [
        [false, false],
        [true, false],
        [false, true],
      ]
      expect(await told(schema)).toEqual([none, none, none])
      await insert(schema, [
        ['a', 1, ['x']],
        ['A', null, ['x']],
        ['b', null, ['y']],
        ['b', 1, null],
      ])
      expect(await told(schema)).toEqual([repeated, [true, true], [true, true]])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec4'], deletion))
      expect(await told(schema)).toEqual([none, empty, repeated])
    })

    it('[STORE-354] counts those records of a range as changed that have a value in a column', async () => {
      const schema = await tableWith(['singleLineText', 'number'])
      await insert(schema, [
        ['a', 1],
        ['b', null],
        ['c', 0],
        ['d', 2],
      ])
      const column = schema.columns[1]?.column as Column
      await store.write(async (tx) => {
        await tx.recordWriter.markDeleted(schema, ['rec3'], deletion)
        await tx.columns.touch(schema, column, { after: 1, until: 4 })
      })
      const { rows } = await store.read((tx) =>
        tx.canonical.records({ tableId: schema.tableId, after: 0 }, 9),
      )
      const before = rows.map(({ version }) => version)
      await store.write((tx) => tx.columns.touch(schema, column, { after: 0, until: 3 }))
      const after = await store.read((tx) =>
        tx.canonical.records({ tableId: schema.tableId, after: 0 }, 9),
      )
      const versions = after.rows.map(({ version }) => version)
      const grown = versions.map((version, index) => Number(version) - Number(before[index]))
      expect(grown).toEqual([1, 0, 1, 0])
      expect(before.map((version) => Number(version) - Number(before[1]))).toEqual([0, 0, 1, 1])
    })

    it('[STORE-85] tells how many bytes the values of living records take in a column', async () => {
      const schema = await tableWith(['singleLineText', 'longText'])
      const [, { column }] = schema.columns as unknown as readonly [unknown, { column: Column }]
      const told = () => store.write((tx) => tx.columns.bytesOf(schema, column))
      expect(await told()).toBe(0)
      await insert(schema, [
        ['a', 'é'.repeat(500)],
        ['b', 'x'.repeat(500)],
        ['c', null],
      ])
      // A storage may count a few bytes for the head of a value.
      const isAbout = (bytes: number, told: number) => told >= bytes && told <= bytes + 50
      expect(isAbout(1_500, await told())).toBe(true)
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec2'], deletion))
      expect(isAbout(1_000, await told())).toBe(true)
    })

    it('[STORE-18] fills a column, counting a version', async () => {
      const schema = await tableWith(['singleLineText', 'multipleSelect', 'checkbox'])
      await insert(schema, [['a', null, null]])
      for (const { column } of schema.columns) {
        const value = { TEXT: 'x', JSON: ['y'] as const, BOOLEAN: true }[column.type as 'TEXT']
        await store.write((tx) => tx.columns.fill(schema, column, value, allNumbers))
      }
      const [record] = await list(schema)
      expect(record).toMatchObject({ cells: ['x', ['y'], true], version: 4 })
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
          await tx.columns.fill(changed, column, value, allNumbers)
          const { records } = await tx.recordScanner.next(changed, everything)
          expect(records[0]?.cells).toEqual(['a', value])
          throw new Undo()
        })
        await filling.catch(onlyUndo)
      }
    })

    it('[STORE-25] puts texts for others, swapping some, in the cells of a column', async () => {
      const schema = await tableWith(['singleSelect', 'singleSelect'])
      const before = ['a', 'b', 'c', 'd', null, 'a']
      await insert(
        schema,
        before.map((text) => [text, text]),
      )
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec6'], deletion))
      const column = schema.columns[1]?.column as Column
      const replacements = new Map([
        ['a', 'b'],
        ['b', 'a'],
        ['c', null],
        ['none', 'd'],
      ])
      const replace = (wanted: ReadonlyMap<string, string | null>) =>
        store.write((tx) => tx.columns.replaceTexts(schema, column, wanted, allNumbers))
      const changed = await replace(replacements)
      expect(changed.toSorted()).toEqual(['rec1', 'rec2', 'rec3'])
      expect(await replace(new Map())).toEqual([])
      const records = await listAll(schema)
      expect(records.map(({ cells }) => cells[1])).toEqual(['b', 'a', null, 'd', null, 'b'])
      expect(records.map(({ cells }) => cells[0])).toEqual(before)
      expect(records.map(({ version }) => version)).toEqual([2, 2, 2, 1, 1, 2])
    })

    it('[STORE-25] always puts texts for others in lists item by item, each once where it is first', async () => {
      const schema = await tableWith(['number', 'multipleSelect'])
      const column = schema.columns[1]?.column as Column
      const item = fc.constantFrom<string>('a', 'b', 'c', 'd', '"', '\\', 'é', '\u{1f9e0}')
      const lists = fc.array(fc.option(fc.uniqueArray(item, { minLength: 1 })), {
        minLength: 1,
        maxLength: 8,
      })
      const replacements = fc.uniqueArray(fc.tuple(item, fc.option(item)), {
        minLength: 1,
        selector: ([replaced]) => replaced,
      })
      await fc.assert(
        fc.asyncProperty(lists, replacements, async (before, pairs) => {
          const wanted = new Map(pairs)
          const after = before.map((texts) => {
            const kept = texts?.map((text) => (wanted.has(text) ? wanted.get(text) : text))
            const left = new Set(kept?.filter((text) => typeof text === 'string'))
            return left.size === 0 ? null : [...left]
          })
          const touched = before.map((texts) => texts?.some((text) => wanted.has(text)) ?? false)
          await store
            .write(async (tx) => {
              const records = before.map((texts, index) => newRecord(`rec${index}`, [1, texts]))
              await tx.recordWriter.insert(schema, records, maker)
              await tx.recordWriter.markDeleted(schema, ['rec0'], deletion)
              const changed = await tx.columns.replaceTexts(schema, column, wanted, allNumbers)
              const living = touched.flatMap((is, index) =>
                is && index > 0 ? [`rec${index}`] : [],
              )
              expect(changed.toSorted()).toEqual(living)
              const step = { ...everything, withDeleted: true }
              const { records: found } = await tx.recordScanner.next(schema, step)
              expect(found.map(({ cells }) => cells[1])).toEqual(after)
              expect(found.map(({ version }) => version === 2)).toEqual(touched)
              throw new Undo()
            })
            .catch(onlyUndo)
        }),
        { numRuns: 60 },
      )
    })

    it('[STORE-26] copies a column into another, of deleted records too, counting a version where there is a value', async () => {
      const schema = await tableWith(['multipleSelect', 'multipleSelect', 'date', 'date'])
      await insert(schema, [
        [['x', 'y'], null, by.time, null],
        [null, ['z'], null, by.time],
      ])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec1'], deletion))
      const [lists, listsToo, dates, datesToo] = schema.columns.map(
        ({ column }) => column as Column,
      )
      await store.write(async (tx) => {
        await tx.columns.copy(schema, lists as Column, listsToo as Column, allNumbers)
        await tx.columns.copy(schema, dates as Column, datesToo as Column, allNumbers)
      })
      const records = await listAll(schema)
      expect(cellsOf(records)).toEqual([
        [['x', 'y'], ['x', 'y'], by.time, by.time],
        [null, null, null, null],
      ])
      expect(records.map(({ version }) => version)).toEqual([3, 3])
    })

    it('[STORE-55] changes whole columns of the records of a range alone', async () => {
      const schema = await tableWith(['singleLineText', 'singleLineText'])
      await insert(schema, [
        ['a', 'x'],
        ['b', 'x'],
        ['c', 'x'],
        ['d', 'x'],
      ])
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec3'], deletion))
      const [first, second] = schema.columns.map(({ column }) => column) as [Column, Column]
      const cells = async () => cellsOf(await listAll(schema)).map((row) => row.join(''))
      const range = { after: 1, until: 3 }
      await store.write((tx) => tx.columns.copy(schema, first, second, range))
      expect(await cells()).toEqual(['ax', 'bb', 'cc', 'dx'])
      await store.write((tx) => tx.columns.empty(schema, [first], range))
      expect(await cells()).toEqual(['ax', 'b', 'c', 'dx'])
      await store.write((tx) => tx.columns.empty(schema, [first, second], { after: 3, until: 4 }))
      expect(await cells()).toEqual(['ax', 'b', 'c', ''])
      await store.write((tx) => tx.columns.fill(schema, second, 'x', { after: 3, until: 4 }))
      await store.write((tx) => tx.columns.fill(schema, first, 'e', { after: 2, until: 4 }))
      expect(await cells()).toEqual(['ax', 'b', 'ec', 'ex'])
      const versions = (await list(schema)).map(({ version }) => version)
      expect(versions).toEqual([1, 3, 4])
      const changed = await store.write((tx) =>
        tx.columns.replaceTexts(schema, second, new Map([['x', 'y']]), { after: 0, until: 3 }),
      )
      expect(changed).toEqual(['rec1'])
      expect(await cells()).toEqual(['ay', 'b', 'ec', 'ex'])
    })
  })
}

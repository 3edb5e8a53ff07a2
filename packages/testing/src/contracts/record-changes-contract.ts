import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { RecordPage } from '@gateleg/domain/records/record-repository'
import type { StoredRecord } from '@gateleg/domain/records/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../make-table.ts'
import { newField, newRecord, newTable } from '../stored-rows.ts'
import type { OpenedStorage } from './opened-storage.ts'

const by = { userId: 'usr2', time: '2026-02-03T04:05:06.007Z' }
const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }
const everything = { after: 0, skip: 0, take: 10_000 }

/** Declares what every RecordRepository promises of changes to records that there are. */
export function recordChangesContract({ store }: OpenedStorage): void {
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
        { autoNumber: 3, values: [30, null] },
        { autoNumber: 2, values: [null, ['z']] },
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
        autoNumber: 6_000 - index,
        values: [-1 - index, by.time],
      }))
      await store.write((tx) => tx.records.update(schema, columns, changes, by))
      const expected = changes.toReversed().map(({ values }) => values)
      expect(cellsOf(await list(schema))).toEqual(expected)
    })

    it('[STORE-18] fills a column, counting a version', async () => {
      const schema = await tableWith(['singleLineText', 'multipleSelect', 'checkbox'])
      await insert(schema, [['a', null, null]])
      for (const { column } of schema.columns) {
        const value = { TEXT: 'x', JSON: ['y'] as const, BOOLEAN: true }[column.type as 'TEXT']
        await store.write((tx) => tx.records.fill(schema, column, value, all))
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
          await tx.records.fill(changed, column, value, all)
          const { records } = await tx.records.page(changed, everything)
          expect(records[0]?.cells).toEqual(['a', value])
          throw new Undo()
        })
        await filling.catch(onlyUndo)
      }
    })

    it.each([1, 4, 300])(
      '[STORE-24] sets cells of %i records, deleted ones too, counting a version and nothing else',
      async (count) => {
        const schema = await tableWith(['singleLineText', 'number', 'multipleSelect'])
        const rows = Array.from({ length: count }, (_, index) => [`${index}`, index, ['x']])
        await insert(schema, [...rows, ['other', null, null]])
        await store.write((tx) => tx.records.markDeleted(schema, ['rec1'], deletion))
        const columns = schema.columns.slice(1).map(({ column }) => column)
        const changes = rows.map((_, index) => ({
          autoNumber: index + 1,
          values: [null, [`y${index}`]],
        }))
        await store.write((tx) => tx.records.setCells(schema, columns, changes))
        const records = await list(schema, { ...everything, withDeleted: true })
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
        await store.write((tx) => tx.records.markDeleted(schema, ['rec1'], deletion))
        const columns = schema.columns.map(({ column }) => column)
        const valuesOf = (index: number) => {
          const way = index % ways
          return way === 0 ? [null, null, null, null] : [`new ${way}`, way, [`y${way}`], by.time]
        }
        const changes = rows.map((_, i) => ({ autoNumber: i + 1, values: valuesOf(i) }))
        await store.write((tx) => tx.records.setCells(schema, columns, changes))
        const records = await list(schema, { ...everything, withDeleted: true })
        const expected = rows.map((_, index) => valuesOf(index))
        expect(cellsOf(records)).toEqual([...expected, ['other', 2, null, null]])
        expect(records.map(({ version }) => version)).toEqual([...rows.map(() => 2), 1])
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
        await store.write((tx) => tx.records.setCells(schema, [number], changes, [text, choices]))
        expect(cellsOf(await list(schema, { ...everything, take: count + 1 }))).toEqual([
          ...rows.map((_, index) => [null, sets(index), null]),
          ['other', 1, ['x']],
        ])
      }
    })

    it('[STORE-25] puts texts for others, swapping some, in the cells of a column', async () => {
      const schema = await tableWith(['singleSelect', 'singleSelect'])
      const before = ['a', 'b', 'c', 'd', null, 'a']
      await insert(
        schema,
        before.map((text) => [text, text]),
      )
      await store.write((tx) => tx.records.markDeleted(schema, ['rec6'], deletion))
      const column = schema.columns[1]?.column as Column
      const replacements = new Map([
        ['a', 'b'],
        ['b', 'a'],
        ['c', null],
        ['none', 'd'],
      ])
      const replace = (wanted: ReadonlyMap<string, string | null>) =>
        store.write((tx) => tx.records.replaceTexts(schema, column, wanted, all))
      const changed = await replace(replacements)
      expect(changed.toSorted()).toEqual(['rec1', 'rec2', 'rec3'])
      expect(await replace(new Map())).toEqual([])
      const records = await list(schema, { ...everything, withDeleted: true })
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
              await tx.records.insert(schema, records)
              await tx.records.markDeleted(schema, ['rec0'], deletion)
              const changed = await tx.records.replaceTexts(schema, column, wanted, all)
              const living = touched.flatMap((is, index) =>
                is && index > 0 ? [`rec${index}`] : [],
              )
              expect(changed.toSorted()).toEqual(living)
              const page = { ...everything, withDeleted: true }
              const { records: found } = await tx.records.page(schema, page)
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
      await store.write((tx) => tx.records.markDeleted(schema, ['rec1'], deletion))
      const [lists, listsToo, dates, datesToo] = schema.columns.map(
        ({ column }) => column as Column,
      )
      await store.write(async (tx) => {
        await tx.records.copyColumn(schema, lists as Column, listsToo as Column, all)
        await tx.records.copyColumn(schema, dates as Column, datesToo as Column, all)
      })
      const records = await list(schema, { ...everything, withDeleted: true })
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
      await store.write((tx) => tx.records.markDeleted(schema, ['rec3'], deletion))
      const [first, second] = schema.columns.map(({ column }) => column) as [Column, Column]
      const cells = async () =>
        cellsOf(await list(schema, { ...everything, withDeleted: true })).map((row) => row.join(''))
      const range = { after: 1, until: 3 }
      await store.write((tx) => tx.records.copyColumn(schema, first, second, range))
      expect(await cells()).toEqual(['ax', 'bb', 'cc', 'dx'])
      await store.write((tx) => tx.records.emptyColumns(schema, [first], range))
      expect(await cells()).toEqual(['ax', 'b', 'c', 'dx'])
      await store.write((tx) =>
        tx.records.emptyColumns(schema, [first, second], { after: 3, until: 4 }),
      )
      expect(await cells()).toEqual(['ax', 'b', 'c', ''])
      await store.write((tx) => tx.records.fill(schema, second, 'x', { after: 3, until: 4 }))
      await store.write((tx) => tx.records.fill(schema, first, 'e', { after: 2, until: 4 }))
      expect(await cells()).toEqual(['ax', 'b', 'ec', 'ex'])
      const versions = (await list(schema)).map(({ version }) => version)
      expect(versions).toEqual([1, 3, 4])
      const changed = await store.write((tx) =>
        tx.records.replaceTexts(schema, second, new Map([['x', 'y']]), { after: 0, until: 3 }),
      )
      expect(changed).toEqual(['rec1'])
      expect(await cells()).toEqual(['ay', 'b', 'ec', 'ex'])
    })
  })
}

const all = { after: 0, until: 1_000_000 }

/** Undoes what a run of a property did. */
class Undo extends Error {}

function onlyUndo(error: unknown): void {
  if (!(error instanceof Undo)) throw error
}

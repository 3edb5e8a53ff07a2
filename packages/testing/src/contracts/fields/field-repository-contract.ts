import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { LookupOptions } from '@gateleg/domain/fields/lookup-options'
import type { TableIndex } from '@gateleg/domain/indexes/table-index'
import type { PhysicalColumn } from '@gateleg/domain/schemas/field-repository'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { WriteTx } from '@gateleg/domain/store'
import type { Table } from '@gateleg/domain/tables/table'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { maker, newField, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const time = '2026-02-03T04:05:06.007Z'
const deletion = { operationId: 'opr1', time, userId: 'usr1' }
const refused = { code: 'validation_error' }

const lookupOptions: LookupOptions = {
  foreignTableId: 'tblForeign',
  lookupFieldId: 'fldLookup',
  linkFieldId: 'fldLink',
  relationship: 'manyOne',
  fkHostTableName: 'bse1.__link_fldLink',
  selfKeyName: '__maker_id',
  foreignKeyName: '__other_id',
}

const everything = { after: 0, take: 9 }

/** Declares what every FieldRepository promises. */
export function fieldRepositoryContract({ store, other }: OpenedStorage): void {
  /** A table of fields of the types, and its schema. */
  async function tableOf(...types: FieldTypeName[]): Promise<[Table, TableSchema]> {
    const schema = await makeTable(store, types)
    return [newTable(schema.baseId), schema]
  }

  let tags = 0
  /** Gives the table a new tag, as whoever changes its fields does. */
  const renew = (tx: WriteTx, table: Table) => tx.tables.renewSchema(table.id, `tag${tags++}x`)
  /** The schema of the table as it is stored now. */
  const stored = async (table: Table): Promise<TableSchema> => {
    const renewed = await store.write((tx) => renew(tx, table))
    return other.read((tx) => tx.fields.schemaOf(renewed))
  }
  const storedField = async (table: Table, id: string) =>
    (await stored(table)).byKey.id.get(id)?.field

  describe('every FieldRepository: what the storage refuses, from when it is told', () => {
    const add = (schema: TableSchema, id: string, cell: string | null) =>
      store.write((tx) => tx.recordWriter.insert(schema, [newRecord(id, [cell])], maker))

    it('[STORE-28] a value that another living record has, until that is taken back', async () => {
      const [table, schema] = await tableOf('singleLineText')
      const field = schema.primary.field
      await add(schema, 'rec1', 'a')
      for (let round = 0; round < 2; round++) {
        await store.write((tx) => tx.fields.refuseRepeats(table, field))
        await expect(add(schema, 'recNo', 'a')).rejects.toMatchObject(refused)
        await store.write((tx) => tx.fields.allowRepeats(table, field))
      }
      await add(schema, 'rec2', 'a')
    })

    it('[STORE-28] an empty cell, until that is taken back', async () => {
      const [table, schema] = await tableOf('singleLineText')
      const field = schema.primary.field
      for (let round = 0; round < 2; round++) {
        await store.write((tx) => tx.fields.requireValues(table, field))
        await expect(add(schema, `recNo`, null)).rejects.toMatchObject(refused)
        await store.write((tx) => tx.fields.allowEmpty(table, field))
      }
      await add(schema, 'rec1', null)
    })
  })

  describe('every FieldRepository', () => {
    it('[STORE-99] tells the table of a field that is there', async () => {
      const [table, schema] = await tableOf('singleLineText', 'number')
      const tableIdOf = (id = '') => store.read((tx) => tx.fields.tableIdOf(id))
      const [first, second] = schema.fields.map(({ field }) => field)
      expect(await tableIdOf(second?.id)).toBe(schema.tableId)
      const deletion = { operationId: 'opr1', time, userId: 'usr1' }
      if (second) await store.write((tx) => tx.fields.markDeleted(table, [second], deletion))
      expect(await tableIdOf(second?.id)).toBeUndefined()
      expect(await tableIdOf(first?.id)).toBe(schema.tableId)
      expect(await tableIdOf('fldNone')).toBeUndefined()
    })

    it('[STORE-347] lists the fields in the trash of a table', async () => {
      const [table, schema] = await tableOf('singleLineText', 'number', 'number')
      const [, second, third] = schema.fields.map(({ field }) => field) as [Field, Field, Field]
      const listed = (most: number, after = '') =>
        store.read((tx) => tx.fields.deletedIn(table.id, { after, most }))
      expect(await listed(9)).toEqual([])
      await store.write(async (tx) => {
        await tx.fields.markDeleted(table, [third], deletion)
        await tx.fields.markDeleted(table, [second], { ...deletion, operationId: 'opr2' })
      })
      const found = { thing: second, operationId: 'opr2' }
      expect(await listed(1)).toEqual([found])
      expect(await listed(9)).toEqual([found, { thing: third, operationId: 'opr1' }])
      expect(await listed(9, third.id)).toEqual([])
    })

    it('[STORE-56] remembers no schema of a change that was undone', async () => {
      const [table] = await tableOf('singleLineText')
      const failure = new Error('undone')
      /** Adds a field under a tag; what the schema is then. */
      const add = async (tx: WriteTx, position: number) => {
        await tx.fields.insert(table, newField(table, position, 'number'))
        const changed = await tx.tables.changeSchema(table.id, 'the same tag', time)
        return (await tx.fields.schemaOf(changed)).fields.map(({ field }) => field.id)
      }
      const undone = store.write(async (tx) => {
        await add(tx, 2)
        throw failure
      })
      await expect(undone).rejects.toBe(failure)
      const seen = await store.write((tx) => add(tx, 3))
      expect(seen).toContain(newField(table, 3, 'number').id)
      expect(seen).not.toContain(newField(table, 2, 'number').id)
    })

    it('[STORE-27] gives back all members of a field, as it was added and as it was changed', async () => {
      const [table] = await tableOf('singleLineText')
      const before = newField(table, 2, 'number', { aiConfig: { a: [1] } })
      await store.write((tx) => tx.fields.insert(table, before))
      expect(await storedField(table, before.id)).toEqual(before)
      const after: Field = {
        ...before,
        name: 'Changed',
        type: 'rollup',
        description: 'why',
        options: { expression: 'sum({values})' },
        unique: true,
        notNull: true,
        aiConfig: null,
        isLookup: true,
        lookupOptions,
        result: { cellValueType: 'string', isMultiple: true },
        hasError: true,
        isPending: true,
        dbFieldName: 'changed',
        columnName: 'changed',
      }
      await store.write((tx) => tx.fields.update(table, before, after))
      expect(await storedField(table, before.id)).toEqual({ ...after, version: 2 })
      await store.write((tx) => tx.fields.update(table, after, before))
      expect(await storedField(table, before.id)).toEqual({ ...before, version: 3 })
    })

    it('[STORE-27] changes many fields at once, and no other', async () => {
      const [table, schema] = await tableOf('singleLineText', ...Array(3).fill('number'))
      const [first, ...others] = schema.fields.map(({ field }) => field) as [Field, ...Field[]]
      const changed = others.slice(0, 2).map(
        (field, index): Field => ({
          ...field,
          type: 'longText',
          options: {},
          description: `Changed ${index}`,
          hasError: index === 1,
        }),
      )
      await store.write(async (tx) => {
        await tx.fields.updateAll(changed)
        await tx.fields.updateAll([])
      })
      const { fields } = await stored(table)
      expect(fields.map(({ field }) => field)).toEqual([
        first,
        ...changed.map((field) => ({ ...field, version: 2 })),
        others[2],
      ])
    })

    it('[STORE-27] notes whether fields are pending, without counting a version', async () => {
      const [table, schema] = await tableOf('singleLineText', 'number', 'number')
      const [first, second, third] = schema.fields.map(({ field }) => field) as [
        Field,
        Field,
        Field,
      ]
      await store.write(async (tx) => {
        await tx.fields.setPending([second.id, third.id], true)
        await tx.fields.setPending([third.id], false)
        await tx.fields.setPending([], true)
      })
      const { fields } = await stored(table)
      expect(fields.map(({ field }) => field)).toEqual([
        first,
        { ...second, isPending: true },
        third,
      ])
    })

    it('[STORE-29] adds a column without values, renames it and retires it', async () => {
      const [table, schema] = await tableOf('singleLineText')
      const name = 'Another "one"'
      const column: Column = { name: 'more', type: 'JSON', index: 1 }
      await store.write(async (tx) => {
        await tx.recordWriter.insert(schema, [newRecord('rec1', ['a'])], maker)
        await tx.fields.addColumn(table, { name, type: column.type })
        await tx.fields.renameColumn(table, name, column.name)
        await tx.recordWriter.setCells(schema, [column], [{ autoNumber: 1, values: [['x']] }])
        const [retired] = await tx.fields.retireColumns(table, [column])
        const { records: kept } = await tx.recordScanner.next(schema, everything, [
          { ...column, ...retired },
        ])
        expect(kept[0]?.cells[1]).toEqual(['x'])
        // The name is free again, and a field that has it sees nothing of the values.
        await tx.fields.insert(table, newField(table, 2, 'button', { columnName: column.name }))
        const changed = await tx.fields.schemaOf(await renew(tx, table))
        const { records } = await tx.recordScanner.next(changed, everything)
        expect(records.map(({ cells }) => cells)).toEqual([['a', null]])
      })
    })

    it('[STORE-29] gives a retired column to a field of its type once it is empty', async () => {
      const [table, schema] = await tableOf('singleLineText', 'number', 'number')
      const count = () => store.read((tx) => tx.fields.countColumns(schema))
      const before = await count()
      const columns = schema.columns.map(({ column }) => column) as [Column, Column, Column]
      const [, first, second] = columns
      await store.write(async (tx) => {
        await tx.recordWriter.insert(schema, [newRecord('rec1', ['a', 1, 2])], maker)
        const [old, later] = (await tx.fields.retireColumns(table, [first, second])) as [
          PhysicalColumn,
          PhysicalColumn,
        ]
        expect(new Set([old.name, later.name, 'col2', 'col3']).size).toBe(4)
        expect(await tx.fields.retireColumns(table, [])).toEqual([])
        const wanted = { name: 'col2', type: 'REAL' } as const
        expect(await tx.fields.reuseColumns(table, [wanted])).toEqual([wanted])
        await tx.columns.empty(schema, [old, later], { after: 0, until: 9 })
        await tx.fields.noteEmptied(table.id, [old.name], undefined)
        await tx.fields.noteEmptied(table.id, [later.name], 1)
        expect(await tx.fields.retiredColumns(table.id)).toEqual([{ ...later, emptied: 1 }])
        const others = [
          { name: 'col4', type: 'JSON' },
          { name: 'col5', type: 'REAL' },
        ] as const
        expect(await tx.fields.reuseColumns(table, [wanted, ...others])).toEqual(others)
        expect(await tx.fields.reuseColumns(table, [others[1]])).toEqual([others[1]])
        const { records } = await tx.recordScanner.next(schema, everything, [columns[0], first])
        expect(records[0]?.cells).toEqual(['a', null, null])
      })
      expect(await count()).toBe(before)
      await store.write((tx) => tx.fields.addColumn(table, { name: 'col3', type: 'REAL' }))
      expect(await count()).toBe(before + 1)
      await store.write((tx) => tx.tables.deletePermanently(table))
      expect(await store.read((tx) => tx.fields.retiredColumns(table.id))).toEqual([])
    })

    it('[STORE-375] empties all columns that a table can have, and looks for files in them, at once', async () => {
      const [table, schema] = await tableOf('singleLineText')
      const columns = Array.from({ length: 1_200 }, (_, index) => ({
        name: `many${index}`,
        type: 'JSON' as const,
      }))
      await store.write(async (tx) => {
        for (const column of columns) await tx.fields.addColumn(table, column)
        await tx.recordWriter.insert(schema, [newRecord('rec1', ['a'])], maker)
        const last: Column = { name: 'many1199', type: 'JSON', index: 1 }
        const files = [{ token: 'tok1' }]
        await tx.recordWriter.setCells(schema, [last], [{ autoNumber: 1, values: [files] }])
        const columnNames = columns.map(({ name }) => name)
        const { id, baseId, dbTableName: physicalName } = table
        const range = { after: 0, until: 9 }
        const tokens = () => tx.fileUses.tokensIn({ id, baseId, physicalName, columnNames }, range)
        expect(await tokens()).toEqual(['tok1'])
        await tx.columns.empty(schema, columns, range)
        expect(await tokens()).toEqual([])
      })
    })

    it('[STORE-376] leaves retired columns that are in an index out of those that can be given other types', async () => {
      const [table, schema] = await tableOf('singleLineText', 'number', 'number')
      const columns = schema.columns.map(({ column }) => column).slice(1)
      const empty = () => store.read((tx) => tx.fields.emptyColumns(table.id))
      const index: Omit<TableIndex, 'definition'> = {
        ...{ name: 'index', tableId: table.id, baseId: table.baseId, key: '[]' },
        ...{ state: 'ready', usedTime: '2026-01-01', checkedTime: '2026-01-01' },
      }
      await store.write(async (tx) => {
        const retired = await tx.fields.retireColumns(table, columns)
        const names = retired.map(({ name }) => name)
        await tx.fields.noteEmptied(table.id, names, undefined)
        await tx.tableIndexes.save({ ...index, definition: `("${names[0]}" asc)` })
      })
      expect((await empty()).map(({ name }) => name)).toEqual(['__old_2'])
      await store.write((tx) => tx.tableIndexes.save({ ...index, definition: '("col1")' }))
      expect(await empty()).toHaveLength(2)
    })

    it('[STORE-374] gives empty retired columns other types', async () => {
      // Where it can't, whole tables are copied.
      if (!(await store.write(async (tx) => tx.fields.retypes))) return
      const [table, schema] = await tableOf('singleLineText', 'number', 'number', 'checkbox')
      const [text, ...others] = schema.columns.map(({ column }) => column) as [Column, ...Column[]]
      const types = ['TEXT', 'BOOLEAN', 'REAL'] as const
      const empty = () => store.read((tx) => tx.fields.emptyColumns(table.id))
      const retired = await store.write(async (tx) => {
        await tx.recordWriter.insert(schema, [newRecord('rec1', ['a', 1, 2, true])], maker)
        const columns = await tx.fields.retireColumns(table, others)
        await tx.columns.empty(schema, columns, { after: 0, until: 9 })
        await tx.fields.noteEmptied(table.id, [columns[0]?.name ?? ''], undefined)
        return columns
      })
      expect(await empty()).toEqual([retired[0]])
      expect(await store.read((tx) => tx.fields.tablesWithEmptyColumns(2))).toEqual([])
      const names = retired.map(({ name }) => name)
      await store.write((tx) => tx.fields.noteEmptied(table.id, names, undefined))
      expect(await store.read((tx) => tx.fields.tablesWithEmptyColumns(3))).toEqual([table.id])
      const count = () => store.read((tx) => tx.fields.countColumns(schema))
      const before = await count()
      const wanted = names.map((name, index) => ({ name, type: types[index] ?? 'TEXT' }))
      await store.write((tx) => tx.fields.retypeColumns(table, wanted))
      expect(await empty()).toEqual(wanted)
      expect(await count()).toBe(before)
      const values = ['7', true, 1.5] as const
      await store.write(async (tx) => {
        const places = wanted.map(({ type }, index) => ({ name: `new${index}`, type, index }))
        expect(await tx.fields.reuseColumns(table, places)).toEqual([])
        const columns = places.map((place) => ({ ...place, index: place.index + 1 }))
        await tx.recordWriter.setCells(schema, columns, [{ autoNumber: 1, values: [...values] }])
        const { records } = await tx.recordScanner.next(schema, everything, [text, ...columns])
        expect(records[0]?.cells).toEqual(['a', ...values])
      })
    })

    it('[STORE-29] reads and writes a column in the transaction that gave it another type', async () => {
      const [table, schema] = await tableOf('singleLineText', 'singleLineText')
      const [, before] = schema.fields.map(({ field }) => field) as [Field, Field]
      await store.write((tx) =>
        tx.recordWriter.insert(schema, [newRecord('rec1', ['a', '7'])], maker),
      )
      for (let round = 0; round < 2; round++) {
        const converting = store.write(async (tx) => {
          const [text] = (await tx.recordScanner.next(schema, everything)).records
          expect(text?.cells).toEqual(['a', '7'])
          const after = newField(table, 2, 'number', { columnName: 'new' })
          await tx.fields.addColumn(table, { name: 'new', type: 'REAL' })
          await tx.fields.retireColumns(table, [{ name: 'col2', type: 'TEXT' }])
          await tx.fields.renameColumn(table, 'new', 'col2')
          const named = { ...after, columnName: 'col2' }
          await tx.fields.update(table, { ...before, columnName: null }, named)
          const changed = await tx.fields.schemaOf(await renew(tx, table))
          const columns = changed.columns.map(({ column }) => column)
          const changes = [{ autoNumber: 1, values: ['b', 7] }]
          await tx.recordWriter.setCells(changed, columns, changes)
          const [number] = (await tx.recordScanner.next(changed, everything)).records
          expect(number?.cells).toEqual(['b', 7])
          expect(await tx.records.find(changed, 'rec1', 'update')).toEqual(number)
          throw new Error('undone')
        })
        await expect(converting).rejects.toThrow('undone')
      }
    })

    it('[STORE-30] knows the tables whose living fields read a table, in the order of their ids', async () => {
      const [[target], [linking], [looking], [gone]] = [
        await tableOf('singleLineText'),
        await tableOf('singleLineText'),
        await tableOf('singleLineText'),
        await tableOf('singleLineText'),
      ] as const
      const options = { relationship: 'manyOne', foreignTableId: target.id, isOneWay: true }
      const link = (table: Table, number = 2) => newField(table, number, 'link', { options })
      const lookup = newField(looking, 2, 'number', {
        isLookup: true,
        lookupOptions: { ...lookupOptions, foreignTableId: target.id },
      })
      const inbound = async () => (await stored(target)).inboundTableIds
      expect(await inbound()).toEqual([])
      await store.write(async (tx) => {
        for (const table of [target, linking, gone]) await tx.fields.insert(table, link(table))
        await tx.fields.insert(linking, link(linking, 3))
        await tx.fields.insert(looking, lookup)
      })
      const all = [target.id, linking.id, looking.id, gone.id].toSorted()
      expect(await inbound()).toEqual(all)
      await store.write(async (tx) => {
        await tx.fields.markDeleted(linking, [link(linking)], deletion)
        await tx.fields.update(looking, lookup, { ...lookup, lookupOptions })
        await tx.tables.markDeleted(gone.id, deletion)
      })
      expect(await inbound()).toEqual([target.id, linking.id].toSorted())
      await store.write((tx) => tx.bases.markDeleted(linking.baseId, deletion))
      expect(await inbound()).toEqual([target.id])
    })
  })
}

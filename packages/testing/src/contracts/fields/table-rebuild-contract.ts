import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { WriteTx } from '@gateleg/domain/store'
import { placeOfRecords, type Table } from '@gateleg/domain/tables/table'
import { describe, expect, it } from 'vitest'
import { maker, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import { deletion, storedRecords } from '../records/stored-records.ts'

const types: readonly FieldTypeName[] = ['singleLineText', 'number', 'singleLineText']

/** Declares what every TableRebuildRepository promises; nothing where empty columns get other types instead. */
export function tableRebuildContract({ store, other }: OpenedStorage): void {
  const { tableWith, insert, list } = storedRecords(store)
  const isCopied = () => store.write(async (tx) => !tx.fields.retypes)

  /** A table whose last column is empty and of no field, with five records. */
  async function wornTable(): Promise<[Table, TableSchema]> {
    const schema = await tableWith(types)
    const table = newTable(schema.baseId)
    await insert(
      schema,
      ['a', 'b', 'c', 'd', 'e'].map((text, number) => [text, number, null]),
    )
    const changed = await store.write(async (tx) => {
      const third = schema.fields[2]?.field
      if (third) await tx.fields.markDeleted(table, [third], deletion)
      if (third) await tx.fields.purge(table, [third])
      const [retired] = await tx.fields.retiredColumns(table.id)
      await tx.fields.noteEmptied(table.id, [retired?.name ?? ''], undefined)
      return tx.fields.schemaOf(await tx.tables.renewSchema(table.id, 'worn'))
    })
    return [{ ...table, schemaTag: 'worn' }, changed]
  }

  const countColumns = (table: Table) =>
    store.read((tx) => tx.fields.countColumns(placeOfRecords(table)))
  const changedIn = (tx: WriteTx, table: Table) => tx.tableRebuilds.changed(table, 99)

  /** The table as it is noted by now, with its schema as others read it. */
  async function reread(id: string): Promise<[Table, TableSchema]> {
    return other.read(async (tx) => {
      const [table] = await tx.tables.findAll([id], 'none')
      if (!table) throw new Error('the table is there')
      return [table, await tx.fields.schemaOf(table)]
    })
  }

  describe('every TableRebuildRepository', () => {
    it('[STORE-485] finds what was changed since it was copied, and copies it again', async () => {
      if (!(await isCopied())) return
      const [table, schema] = await wornTable()
      await store.write(async (tx) => {
        expect(await tx.tableRebuilds.find(table.id)).toBeUndefined()
        await tx.tableRebuilds.begin(table, schema)
      })
      await store.write(async (tx) => {
        expect(await tx.tableRebuilds.find(table.id)).toEqual({
          ...{ tableId: table.id, copied: 0, isReady: false, isExchanged: false },
        })
        expect(await tx.tableRebuilds.tableIds()).toContain(table.id)
        const range = { after: 0, until: 4 }
        const { numbers } = await tx.tableRebuilds.changed(table, 99, range)
        expect(numbers.toSorted()).toEqual([1, 2, 3, 4])
        expect(await tx.tableRebuilds.bring(table, numbers)).toEqual({ waiting: 0 })
        expect(await changedIn(tx, table)).toEqual({ numbers: [5], recordIds: ['rec5'] })
        await tx.tableRebuilds.bring(table, [5, 9])
        expect(await changedIn(tx, table)).toEqual({ numbers: [], recordIds: [] })
      })
      const [text] = schema.columns.map(({ column }) => column)
      if (!text) throw new Error('the table has a column')
      await store.write((tx) =>
        tx.recordWriter.setCells(schema, [text], [{ autoNumber: 2, values: ['b'] }]),
      )
      await store.write((tx) => tx.recordWriter.markDeleted(schema, ['rec3'], deletion))
      await store.write((tx) => tx.recordWriter.purge(schema, ['rec3'], deletion.operationId))
      await store.write((tx) =>
        tx.recordWriter.insert(schema, [newRecord('rec6', ['f', 5])], maker),
      )
      await store.write(async (tx) => {
        const { numbers, recordIds } = await changedIn(tx, table)
        expect(numbers.toSorted()).toEqual([2, 3, 6])
        expect(recordIds.toSorted()).toEqual(['rec2', 'rec6'])
        expect((await tx.tableRebuilds.changed(table, 2)).numbers).toHaveLength(2)
        const range = { after: 2, until: 3 }
        expect(await tx.tableRebuilds.changed(table, 99, range)).toEqual({
          ...{ numbers: [3], recordIds: [] },
        })
        await tx.tableRebuilds.bring(table, numbers)
        expect(await changedIn(tx, table)).toEqual({ numbers: [], recordIds: [] })
        await tx.tableRebuilds.note(table.id, { copied: 6, isReady: true })
        expect(await tx.tableRebuilds.find(table.id)).toMatchObject({ copied: 6, isReady: true })
        await tx.tableRebuilds.look(table)
        await tx.tableRebuilds.drop(table)
        expect(await tx.tableRebuilds.find(table.id)).toBeUndefined()
        await tx.tableRebuilds.drop(table)
      })
    })

    it('[STORE-540] finds what was changed since a look that left nothing, as a look at all does', async () => {
      if (!(await isCopied())) return
      const [table, schema] = await wornTable()
      const look = async (tx: WriteTx, isReady: boolean, most = 99) => {
        const { numbers, recordIds } = await tx.tableRebuilds.changedSinceLook(table, most, {
          isReady,
        })
        return { numbers: numbers.toSorted(), recordIds: recordIds.toSorted() }
      }
      const nothing = { numbers: [], recordIds: [] }
      await store.write(async (tx) => {
        await tx.tableRebuilds.begin(table, schema)
        const { numbers } = await look(tx, false)
        expect(numbers).toEqual([1, 2, 3, 4, 5])
        await tx.tableRebuilds.bring(table, numbers)
        expect(await look(tx, true)).toEqual(nothing)
      })
      const [text] = schema.columns.map(({ column }) => column)
      if (!text) throw new Error('the table has a column')
      const purge = async (tx: WriteTx, id: string) => {
        await tx.recordWriter.markDeleted(schema, [id], deletion)
        await tx.recordWriter.purge(schema, [id], deletion.operationId)
      }
      const insert = (tx: WriteTx, id: string) =>
        tx.recordWriter.insert(schema, [newRecord(id, ['f', 5])], maker)
      const change = (tx: WriteTx, autoNumber: number) =>
        tx.recordWriter.setCells(schema, [text], [{ autoNumber, values: ['b'] }])
      type Found = Awaited<ReturnType<typeof look>>
      const changes: readonly [(tx: WriteTx) => Promise<unknown>, Found][] = [
        [(tx) => change(tx, 2), { numbers: [2], recordIds: ['rec2'] }],
        [(tx) => purge(tx, 'rec3'), { numbers: [3], recordIds: [] }],
        [(tx) => insert(tx, 'rec6'), { numbers: [6], recordIds: ['rec6'] }],
      ]
      for (const [make, found] of changes) {
        await store.write(make)
        await store.write(async (tx) => {
          expect(await look(tx, true)).toEqual(found)
          await tx.tableRebuilds.bring(table, found.numbers)
          expect(await look(tx, true)).toEqual(nothing)
        })
      }
      await store.write(async (tx) => {
        await change(tx, 1)
        await change(tx, 5)
      })
      await store.write(async (tx) => {
        expect((await look(tx, true, 1)).numbers).toHaveLength(1)
        const { numbers } = await look(tx, true)
        expect(numbers).toEqual([1, 5])
        await tx.tableRebuilds.bring(table, numbers)
      })
      // As many records come as go.
      await store.write(async (tx) => {
        await insert(tx, 'rec7')
        await purge(tx, 'rec4')
        await change(tx, 1)
      })
      await store.write(async (tx) => {
        const all = { numbers: [1, 4, 7], recordIds: ['rec1', 'rec7'] }
        expect(await look(tx, true)).toEqual(all)
        await tx.tableRebuilds.drop(table)
      })
    })

    it('[STORE-486] gives the copy the place of the table, and then its name', async () => {
      if (!(await isCopied())) return
      const [table, schema] = await wornTable()
      const before = await list(schema)
      const columns = await countColumns(table)
      await store.write(async (tx) => {
        await tx.tableRebuilds.begin(table, schema)
        expect(await tx.tableRebuilds.follow(table)).toBe(true)
        await tx.tableRebuilds.bring(table, [1, 2, 3, 4, 5])
      })
      // Who has seen an earlier state goes on to see it, though they have read nothing of the table yet.
      await other.read(async (tx) => {
        await tx.tables.findAll([table.id], 'none')
        await store.write(async (changing) => {
          await changing.tableRebuilds.exchange(table)
          await changing.tables.renewSchema(table.id, 'exchanged')
        })
        expect(await tx.recordScanner.count(schema, 99)).toBe(5)
        const [exchanged] = await reread(table.id)
        expect(await store.write((tx) => tx.tableRebuilds.hasReadersBefore(exchanged))).toBe(true)
      })
      const [exchanged, changed] = await reread(table.id)
      expect(exchanged.rebuiltName).not.toBeNull()
      expect(await list(changed)).toEqual(before)
      expect(await store.read((tx) => tx.fields.emptyColumns(table.id))).toEqual([])
      await store.write(async (tx) => {
        await tx.tableRebuilds.finish(exchanged)
        await tx.tables.renewSchema(table.id, 'finished')
      })
      const [finished, last] = await reread(table.id)
      expect(finished).toEqual({ ...table, schemaTag: 'finished' })
      expect(await list(last)).toEqual(before)
      expect(await countColumns(table)).toBe(columns - 1)
      expect(await store.write((tx) => tx.tableRebuilds.tableIds())).not.toContain(table.id)
      const [number] = await store.write((tx) =>
        tx.recordWriter.insert(last, [newRecord('rec9', ['z', 1])], maker),
      )
      expect(number).toBe(6)
    })

    it('[STORE-487] gives the copy the columns that the table has by now, whatever they are called', async () => {
      if (!(await isCopied())) return
      const [table, schema] = await wornTable()
      await store.write(async (tx) => {
        await tx.tableRebuilds.begin(table, schema)
        await tx.tableRebuilds.bring(table, [1, 2, 3, 4, 5])
      })
      // Two columns change places, a third one is new.
      await store.write(async (tx) => {
        const [first = '', second = ''] = schema.columns.map(({ column }) => column.name)
        await tx.fields.renameColumn(table, first, 'meanwhile')
        await tx.fields.renameColumn(table, second, first)
        await tx.fields.renameColumn(table, 'meanwhile', second)
        await tx.fields.addColumn(table, { name: 'added', type: 'TEXT' })
        expect(await tx.tableRebuilds.follow(table)).toBe(true)
        expect(await changedIn(tx, table)).toEqual({ numbers: [], recordIds: [] })
        await tx.fields.renameColumn(table, first, 'meanwhile')
        await tx.fields.renameColumn(table, second, first)
        await tx.fields.renameColumn(table, 'meanwhile', second)
        expect(await tx.tableRebuilds.follow(table)).toBe(true)
      })
      const before = await list(schema)
      await store.write(async (tx) => {
        await tx.tableRebuilds.exchange(table)
        await tx.tables.renewSchema(table.id, 'exchanged')
      })
      const [, changed] = await reread(table.id)
      expect(await list(changed)).toEqual(before)
    })

    it('[STORE-487] begins anew where the table refuses other values by now', async () => {
      if (!(await isCopied())) return
      const [table, schema] = await wornTable()
      await store.write(async (tx) => {
        await tx.fields.refuseRepeats(table, schema.primary.field)
        await tx.tableRebuilds.begin(table, schema)
        expect(await tx.tableRebuilds.follow(table)).toBe(true)
        await tx.fields.requireValues(table, schema.primary.field)
        expect(await tx.tableRebuilds.follow(table)).toBe(false)
      })
    })
  })
}

import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { describe, expect, it } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { maker, newRecord, newTable } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'

const deletion = { operationId: 'opr1', time: '2026-02-03T04:05:06.007Z', userId: 'usr1' }

/** Declares what every RecordSizeReader promises. */
export function recordSizesContract({ store }: OpenedStorage): void {
  const everything = { after: 0, records: 10, bytes: 1_000_000 }

  /** Records of some thousand bytes each, the third of which is deleted. */
  const fill = async (schema: TableSchema, count = 5) => {
    const records = Array.from({ length: count }, (_, n) =>
      newRecord(`rec${n + 1}`, ['x'.repeat(1_000), n]),
    )
    await store.write(async (tx) => {
      await tx.recordWriter.insert(schema, records, maker)
      await tx.recordWriter.markDeleted(schema, ['rec3'], deletion)
    })
  }

  describe('every RecordSizeReader', () => {
    it('[STORE-78] ends at a number of records or bytes, with one record at least', async () => {
      const schema = await makeTable(store, ['longText', 'number'])
      const next = (end: object) =>
        store.read((tx) => tx.recordSizes.nextRange(schema, { ...everything, ...end }))
      expect(await next({})).toBeUndefined()
      await fill(schema)
      expect(await next({})).toMatchObject({ after: 0, until: 5, count: 4, isLast: true })
      expect(await next({ withDeleted: true })).toMatchObject({ until: 5, count: 5, isLast: true })
      expect(await next({ records: 2 })).toMatchObject({ until: 2, count: 2, isLast: false })
      const two = await next({ bytes: 2_500 })
      expect(two).toMatchObject({ until: 2, count: 2, isLast: false })
      expect(two?.bytes).toBeGreaterThan(2_000)
      expect(two?.bytes).toBeLessThan(2_100)
      expect(await next({ after: 2, bytes: 1 })).toMatchObject({ after: 2, until: 4, count: 1 })
      expect(await next({ after: 5 })).toBeUndefined()
    })

    it('[STORE-471] answers fewer where so many are enough, and still finds those after a gap', async () => {
      const schema = await makeTable(store, ['longText', 'number'])
      await fill(schema)
      const next = (end: object) =>
        store.read((tx) => tx.recordSizes.nextRange(schema, { ...everything, records: 2, ...end }))
      expect(await next({ enough: 1 })).toMatchObject({ until: 2, count: 2, isLast: false })
      const oneOfTwo = { after: 2, until: 4, count: 1, isLast: false }
      expect(await next({ after: 2, enough: 1 })).toMatchObject(oneOfTwo)
      expect(await next({ after: 2, enough: 2 })).toMatchObject({ until: 5, count: 2 })
      expect(await next({ after: 3, enough: 2 })).toMatchObject({ until: 5, isLast: true })
      const one = { records: 1, enough: 1 }
      expect(await next({ ...one, after: 2 })).toMatchObject({ until: 4, count: 1, isLast: false })
      expect(await next({ ...one, after: 4 })).toMatchObject({ until: 5, count: 1, isLast: true })
      expect(await next({ ...one, after: 5 })).toBeUndefined()
      const short = { enough: 2, bytes: 1 }
      expect(await next(short)).toMatchObject({ until: 1, count: 1, isLast: false })
    })

    it('[STORE-78] counts what is left of fields that were deleted or converted', async () => {
      const schema = await makeTable(store, ['longText', 'number'])
      await fill(schema)
      const read = () => store.write((tx) => tx.recordSizes.nextRange(schema, everything))
      const before = await read()
      const [first, second] = schema.fields
      await store.write(async (tx) => {
        const table = newTable(schema.baseId)
        if (first?.column) await tx.fields.retireColumns(table, [first.column])
        if (second) await tx.fields.markDeleted(table, [second.field], deletion)
      })
      expect(await read()).toEqual(before)
    })

    it('[STORE-78] measures the records of ids, deleted ones too, and none that are not there', async () => {
      const schema = await makeTable(store, ['longText', 'number'])
      await fill(schema)
      const sizeOf = (...ids: string[]) => store.read((tx) => tx.recordSizes.bytesOf(schema, ids))
      const one = await sizeOf('rec1')
      expect(one).toBeGreaterThan(1_000)
      expect(one).toBeLessThan(1_050)
      expect(await sizeOf('rec1', 'rec3', 'other')).toBe(2 * one)
      expect(await sizeOf('other')).toBe(0)
      expect(await sizeOf()).toBe(0)
    })

    it('[STORE-345] tells what records take that are read to be changed, of deleted fields too', async () => {
      const schema = await makeTable(store, ['number', 'longText'])
      const [first, second] = schema.fields
      const columns = first?.column ? [first.column] : []
      await store.write(async (tx) => {
        const records = [1, 2, 3].map((n) => newRecord(`rec${n}`, [n, 'x'.repeat(1_000)]))
        await tx.recordWriter.insert(schema, records, maker)
        await tx.recordWriter.markDeleted(schema, ['rec2'], deletion)
      })
      const read = async (now: TableSchema) => {
        const ids = ['rec1', 'rec2', 'rec3', 'rec4']
        const { records } = await store.write((tx) => tx.records.findToChange(now, ids, columns))
        for (const { bytes = 0 } of records) {
          expect(bytes).toBeGreaterThan(1_000)
          expect(bytes).toBeLessThan(1_050)
        }
        return records.map(({ id, cells }) => [id, ...cells])
      }
      expect(await read(schema)).toEqual([
        ['rec1', 1, null],
        ['rec3', 3, null],
      ])
      const without = await store.write(async (tx) => {
        const table = newTable(schema.baseId)
        if (second) await tx.fields.markDeleted(table, [second.field], deletion)
        const { schemaTag } = await tx.tables.changeSchema(table.id, 'later', deletion.time)
        return tx.fields.schemaOf({ ...table, schemaTag })
      })
      expect(await read(without)).toEqual([
        ['rec1', 1],
        ['rec3', 3],
      ])
    })

    it('[STORE-78] measures a table of as many columns as one may have', async () => {
      const schema = await makeTable(store, ['longText'])
      await store.write(async (tx) => {
        await tx.recordWriter.insert(schema, [newRecord('rec1', ['x'.repeat(100)])], maker)
        for (let n = 0; n < 1_100; n++) {
          const column = { name: `more${n}`, type: 'TEXT' } as const
          await tx.fields.addColumn(newTable(schema.baseId), column)
        }
      })
      const range = await store.read((tx) => tx.recordSizes.nextRange(schema, everything))
      expect(range).toMatchObject({ until: 1, count: 1 })
    })
  })
}

import { limits } from '@gateleg/domain/limits'
import type { RecordBatch } from '@gateleg/domain/records/record-repository'
import { collectRecords, findRecords, scanRecords } from '@gateleg/domain/records/scan-records'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeTable } from '../make-table.ts'
import { newRecord } from '../stored-rows.ts'
import { withLimits } from '../with-limits.ts'
import type { OpenedStorage } from './opened-storage.ts'

/** Characters of the texts of records, in the order of their numbers: small ones first, then large ones. */
const lengths = [...new Array(40).fill(10), ...new Array(20).fill(30_000), 200_000, 10, 10]

const recordsLength = 100_000

/** Declares what every RecordRepository promises of reading many records. */
export function recordBatchesContract({ store }: OpenedStorage): void {
  let schema: TableSchema

  beforeEach(async () => {
    schema = await makeTable(store, ['longText', 'multipleSelect', 'number'])
    const records = lengths.map((length, index) => {
      const text = 'é'.repeat(length)
      return newRecord(idAt(index), index % 2 ? [text, null, index] : [null, [text], index])
    })
    await store.write((tx) => tx.records.insert(schema, records))
  })

  const idAt = (index: number) => `rec${String((index * 37) % 1_000).padStart(3, '0')}`

  const collect = async (batches: AsyncIterable<RecordBatch>) => {
    const collected: RecordBatch[] = []
    for await (const batch of batches) collected.push(batch)
    return collected
  }
  const numbersOf = (batches: readonly RecordBatch[]) =>
    batches.flatMap(({ records }) => records.map(({ cells }) => cells[2]))

  const requireBounded = (batches: readonly RecordBatch[]) => {
    expect(batches.length).toBeGreaterThan(3)
    for (const { records, size, isCut } of batches) {
      if (records.length > 1) expect(size).toBeLessThanOrEqual(recordsLength)
      expect(isCut).toBe(batches.at(-1)?.records !== records)
    }
  }

  describe('every RecordRepository: batches', () => {
    it.each(['none', 'update'] as const)(
      '[STORE-50] end at a size while a table is walked through, held for: %s',
      async (lock) => {
        await withLimits({ recordsLength }, async () => {
          const batches = await store.write((tx) => collect(scanRecords(tx, schema, { lock })))
          expect(numbersOf(batches)).toEqual([...lengths.keys()])
          requireBounded(batches)
        })
      },
    )

    it.each(['none', 'update'] as const)(
      '[STORE-50] end at a size while ids are looked up, held for: %s',
      async (lock) => {
        const ids = [...[...lengths.keys()].map(idAt), idAt(3), 'rec', 'recNone', 'é']
        await withLimits({ recordsLength }, async () => {
          const batches = await store.write((tx) => collect(findRecords(tx, schema, ids, lock)))
          const found = numbersOf(batches) as number[]
          expect(found.toSorted((a, b) => a - b)).toEqual([...lengths.keys()])
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

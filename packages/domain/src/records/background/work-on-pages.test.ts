import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { WriteTx } from '../../store.ts'
import { RecordPages } from './record-pages.ts'
import { type PageOfWork, workOnPages } from './work-on-pages.ts'

const mayDoMore = () => true
const seed = 20_261_128

describeOnEveryStorage('the pages of a table', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const writeTo = <T>({ id }: TestTable, work: (tx: WriteTx, schema: TableSchema) => Promise<T>) =>
    world.engine.store.write(async (tx) => {
      const [table] = await tx.tables.findAll([id], 'none')
      if (!table) throw new Error('the table is there')
      return work(tx, await tx.fields.schemaOf(table))
    })

  /** Goes through the pages up to a number; answers the numbers of their records, and how far they reach. */
  const goThrough = (
    table: TestTable,
    until: number,
    isThrough: (page: PageOfWork) => boolean = () => true,
  ) =>
    writeTo(table, async (tx, schema) => {
      const numbers: number[] = []
      const ends: number[] = []
      const pages = new RecordPages(tx, schema, { until, columns: [], parts: 'numbers' })
      const last = await workOnPages({ tx, failures: 0, mayDoMore }, pages, 0, async (page) => {
        for (const { autoNumber } of page.records) numbers.push(autoNumber)
        ends.push(page.after)
        return isThrough(page)
      })
      return { numbers, begins: ends, reached: last.reached, isLast: last.isLast }
    })

  test('[RECORD-190] have every record up to a number once, whatever their gaps', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`)
    const gaps = fc.record({
      gone: fc.subarray(names.map((_, index) => index)),
      until: fc.integer({ min: 0, max: 31 }),
      size: fc.integer({ min: 1, max: 5 }),
    })
    const isRight = async ({
      gone,
      until,
      size,
    }: {
      gone: number[]
      until: number
      size: number
    }) => {
      const table = await world.makeNames('Things', ...names)
      const recordIds = gone.map((index) => table.recordIds[index])
      if (gone.length > 0) await world.remove(table, ...recordIds)
      const left = names.flatMap((_, index) => (gone.includes(index) ? [] : [index + 1]))
      const found = await withLimits(recordsPerSlice(size), () => goThrough(table, until))
      await world.clear()
      expect(found).toMatchObject({
        numbers: left.filter((number) => number <= until),
        reached: until,
        isLast: true,
      })
    }
    await fc.assert(fc.asyncProperty(gaps, isRight), { seed, numRuns: 15 })
  })

  test('[RECORD-190] end where the work does', async () => {
    const table = await world.makeNames('Things', 'a', 'b', 'c', 'd', 'e', 'f')
    const found = await withLimits(recordsPerSlice(2), () =>
      goThrough(table, 6, ({ after }) => after < 2),
    )
    expect(found).toEqual({ numbers: [1, 2, 3, 4], begins: [0, 2], reached: 4, isLast: false })
  })

  test('[RECORD-191] go on behind records that are all gone by the time that they are read', async () => {
    const table = await world.makeNames('Things', 'a', 'b', 'c', 'd', 'e', 'f')
    const [first = '', second = ''] = table.recordIds
    const seen = await writeTo(table, async (tx, schema) => {
      const deletion = { operationId: 'opr1', time: '2026-01-01T00:00:00.000Z', userId: 'usr1' }
      const nextRange: typeof tx.recordSizes.nextRange = async (...of) => {
        const range = await tx.recordSizes.nextRange(...of)
        await tx.recordWriter.markDeleted(schema, [first, second], deletion)
        return range
      }
      // As where somebody else deletes them once they are measured, and before they are read.
      const between = new Proxy(tx, {
        get: (target, name) => {
          if (name === 'recordSizes') return { nextRange }
          if (name === 'mayAskAhead') return false
          const member = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
      const pages = new RecordPages(between, schema, { until: 6, columns: [], parts: 'numbers' })
      const numbers: number[] = []
      const job = { tx: between, failures: 0, mayDoMore }
      await withLimits(recordsPerSlice(2), () =>
        workOnPages(job, pages, 0, async ({ records }) => {
          for (const { autoNumber } of records) numbers.push(autoNumber)
          return true
        }),
      )
      return numbers
    })
    expect(seen).toEqual([3, 4, 5, 6])
  })
})

import { chartQueryOf } from '@gateleg/testing/arbitraries/chart-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { FoundRow } from './chart-query.ts'
import { evaluateChart } from './evaluate-chart.ts'
import { findChartRows } from './find-chart-rows.ts'
import { toChartQuery } from './to-chart-query.ts'

interface Known {
  readonly schema: TableSchema
  readonly records: readonly StoredRecord[]
}

describeOnEveryStorage('charts', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))
  let main: Known
  let other: Known
  let third: Known

  beforeAll(async () => {
    const { values, engine, baseId } = world
    const { id } = await world.makeTable(
      'Third',
      [
        { type: 'singleLineText', name: 'Word' },
        { type: 'number', name: 'Size' },
        { type: 'date', name: 'At' },
      ],
      Array.from({ length: 6 }, (_, index) => ({
        Word: values.texts[index * 3] ?? null,
        Size: values.numbers[index] ?? null,
        At: values.moments[index * 2] ?? null,
      })),
    )
    const tables = await world.api.tables.listTables({ baseId })
    const ids = [world.tableId, tables.find(({ name }) => name === 'Other')?.id ?? '', id]
    const known = await engine.store.read(async (tx) => {
      const found = await tx.tables.findAll(ids, 'none')
      return Promise.all(
        ids.map(async (tableId): Promise<Known> => {
          const table = found.find((one) => one.id === tableId)
          if (!table) throw new Error('the table was made')
          const schema = await tx.fields.schemaOf(table)
          const { records } = await tx.recordScanner.next(schema, { after: 0, take: 1_000 })
          return { schema, records }
        }),
      )
    })
    ;[main, other, third] = known as [Known, Known, Known]
  })

  const assertAgreed = async (tables: readonly [Known, ...Known[]], numRuns: number) => {
    const { engine, ada, names, values, clock } = world
    const [first, ...more] = tables.map(({ schema }) => schema) as [TableSchema, ...TableSchema[]]
    const asker = { userId: ada.userId, now: toTimestamp(clock.now()), path: ['query'] }
    await engine.store.read(
      (tx) =>
        fc.assert(
          fc.asyncProperty(chartQueryOf([first, ...more], values), async (saved) => {
            const query = toChartQuery(saved, [first, ...more], asker)
            const people = { name: (id: string) => names.get(id) }
            const records = tables.map((one) => one.records)
            const found = await findChartRows(tx, query, [])
            requireSame(found, evaluateChart(query, records, people))
          }),
          { numRuns },
        ),
      { isLong: true },
    )
  }

  test('[CHART-1] always are the rows and groups of a table that the evaluator finds, in its order', async () => {
    await assertAgreed([main], 400)
  }, 300_000)

  test('[CHART-2] always are those of two tables that the evaluator joins', async () => {
    await assertAgreed([main, other], 200)
    await assertAgreed([other, main], 150)
  }, 300_000)

  test('[CHART-2] always are those of three tables that the evaluator joins', async () => {
    await assertAgreed([other, third, main], 150)
  }, 300_000)
})

/** Fails where rows differ, but for the last digits of sums. */
function requireSame(found: readonly FoundRow[], expected: readonly FoundRow[]): void {
  expect(found.map(({ recordIds }) => recordIds)).toEqual(
    expected.map(({ recordIds }) => recordIds),
  )
  for (const [index, { statistics }] of found.entries()) {
    for (const [place, value] of statistics.entries()) {
      const other = expected[index]?.statistics[place] ?? null
      if (typeof value === 'number' && typeof other === 'number') {
        const rounding = Math.max(Math.abs(other) * 1e-9, 1e-300)
        expect(Math.abs(value - other)).toBeLessThanOrEqual(rounding)
      } else expect(value).toEqual(other)
    }
  }
}

import { isDeepStrictEqual } from 'node:util'
import { filterOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { nobody } from '../fields/cell.ts'
import { limits } from '../limits.ts'
import { always } from '../queries/condition.ts'
import type { SortItem } from '../queries/sort.ts'
import {
  type Measured,
  type MeasureKind,
  type StatisticName,
  statisticsOf,
} from '../queries/statistics.ts'
import { evaluateGroups } from '../records/evaluation/evaluate-groups.ts'
import { countingKinds, evaluateMeasure } from '../records/evaluation/evaluate-measure.ts'
import { meetsCondition } from '../records/evaluation/meets-condition.ts'
import { MeasuredStatistics } from '../records/query/measured-statistics.ts'
import { toRecordQuery } from '../records/query/to-record-query.ts'
import type { Measure } from '../records/reading/record-finder.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { SchemaField } from '../schemas/table-schema.ts'

describeOnEveryStorage('aggregations', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))
  let tableId: string

  beforeAll(async () => {
    const table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'number', name: 'Pages' },
        { type: 'checkbox', name: 'Read' },
        { type: 'date', name: 'Day' },
      ],
      [
        { Title: 'Emma', Pages: 474, Read: true, Day: '2026-01-31' },
        { Title: 'Emma', Pages: 249.5, Day: '2026-03-01' },
        { Title: 'Sanditon' },
        {},
      ],
    )
    tableId = table.id
  })

  const values = async (
    field: Partial<Record<StatisticName, readonly string[]>>,
    more: object = {},
  ) => {
    const input = { tableId, field, ...more } as Parameters<
      typeof world.api.aggregations.aggregateRecords
    >[0]
    const { aggregations } = await world.api.aggregations.aggregateRecords(input)
    return aggregations.map(({ total }) => total.value)
  }
  const isEmma = {
    filter: {
      conjunction: 'and',
      filterSet: [{ fieldId: 'Title', operator: 'is', value: 'Emma' }],
    },
  } as const

  test('[AGG-1] counts the records that a filter lets through', async () => {
    const { api } = world
    expect(await api.aggregations.getRowCount({ tableId })).toEqual({ rowCount: 4 })
    expect(await api.aggregations.getRowCount({ tableId, ...isEmma })).toEqual({ rowCount: 2 })
    expect(await values({ sum: ['Pages'] }, isEmma)).toEqual([723.5])
  })

  test('[AGG-2] works out what the cells have, and refuses what they have not', async () => {
    expect(
      await values({
        count: ['Title'],
        empty: ['Title'],
        filled: ['Title'],
        unique: ['Title'],
        sum: ['Pages'],
        average: ['Pages'],
        min: ['Pages'],
        max: ['Pages'],
        checked: ['Read'],
        unChecked: ['Read'],
        earliestDate: ['Day'],
        latestDate: ['Day'],
        dateRangeOfDays: ['Day'],
        dateRangeOfMonths: ['Day'],
      }),
    ).toEqual([
      ...[4, 1, 3, 2, 723.5, 361.75, 249.5, 474, 1, 3],
      ...['2026-01-31T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 29, 1],
    ])
    await expect(values({ sum: ['Title'] })).rejects.toMatchObject(invalidAt('field', 'sum', 0))
    await expect(values({ filled: ['Nothing'] })).rejects.toMatchObject(
      invalidAt('field', 'filled', 0),
    )
    expect(await values({})).toEqual([])
  })

  test('[AGG-3] tells parts in hundredths, and nothing of nothing', async () => {
    expect(
      await values({
        percentEmpty: ['Title'],
        percentFilled: ['Title'],
        percentUnique: ['Title'],
        percentChecked: ['Read'],
        percentUnChecked: ['Read'],
      }),
    ).toEqual([25, 75, 50, 25, 75])
    const none = {
      filter: { conjunction: 'and', filterSet: [{ fieldId: 'Title', operator: 'is', value: '-' }] },
    }
    expect(
      await values(
        { percentFilled: ['Title'], sum: ['Pages'], average: ['Pages'], min: ['Pages'] },
        none,
      ),
    ).toEqual([0, null, null, null])
  })

  test('[AGG-4] [AGG-5] adds up to what storages agree on', async () => {
    const numbers = [0.1, 0.2, 0.3, 1e15]
    const table = await world.makeTable(
      'Numbers',
      [
        { type: 'number', name: 'N' },
        { type: 'number', name: 'Large' },
        { type: 'number', name: 'Opposed' },
        { type: 'number', name: 'Close' },
      ],
      numbers.map((N, n) => ({ N, Large: 1e300, Opposed: [1e300, -1e300, 1][n], Close: 9e289 })),
    )
    const field = {
      sum: ['N', 'Large', 'Opposed', 'Close'],
      average: ['Large'],
      max: ['Large'],
    }
    const { aggregations } = await world.api.aggregations.aggregateRecords({
      tableId: table.id,
      field,
    })
    expect(aggregations.map(({ total }) => total.value)).toEqual([
      1e15,
      null,
      null,
      3.6e290,
      null,
      1e300,
    ])
  })

  test('[AGG-5] adds up without what each addition rounds away', async () => {
    const lists = [
      [1e15, 0.3, -1e15],
      [1_000_000_000.01, 0.02, -1_000_000_000],
      Array.from({ length: 3_000 }, (_, index) => ((index * 7_919) % 100_000) / 100 + 0.01),
    ]
    const totals: unknown[] = []
    for (const [index, numbers] of lists.entries()) {
      const rows = numbers.map((N) => ({ N }))
      const table = await world.makeTable(`List ${index}`, [{ type: 'number', name: 'N' }], rows)
      const asked = { tableId: table.id, field: { sum: ['N'], average: ['N'] } }
      const { aggregations } = await world.api.aggregations.aggregateRecords(asked)
      totals.push(...aggregations.map(({ total }) => total.value))
    }
    const whole = lists[2]?.reduce((sum, each) => sum + Math.round(each * 100), 0) ?? 0
    expect(totals).toEqual([
      ...[0.3, 0.1, 0.0299999904632568, 0.00999999682108561],
      ...[whole / 100, Number((whole / 100 / 3_000).toPrecision(15))],
    ])
  })

  test('[AGG-7] measures once what several statistics follow from', () => {
    const { fields } = world.schema
    const [field, other] = fields as [SchemaField, SchemaField]
    const asked = ['empty', 'percentUnique', 'filled', 'unique', 'average', 'sum'] as const
    const statistics = new MeasuredStatistics([
      ...asked.map((statistic) => ({ field, statistic })),
      { field: other, statistic: 'filled' },
    ])
    const kinds = statistics.measures.map((one) => [one.field === field, one.kind])
    expect(kinds).toEqual([
      ...['filled', 'unique', 'items', 'sum'].map((kind) => [true, kind]),
      [false, 'filled'],
    ])
    const measured = [3, 2, 3, 12, 1]
    expect(statistics.from({ records: 4, measured })).toEqual([1, 50, 3, 2, 4, 12, 1])
  })

  test('[AGG-7] works out so many statistics at once and no more', async () => {
    expect(limits.statisticsPerCall).toBe(500)
    await withLimits({ statisticsPerCall: 2 }, async () => {
      expect(await values({ filled: ['Title', 'Pages'] })).toHaveLength(2)
      const more = values({ filled: ['Title', 'Pages'], sum: ['Pages'] })
      await expect(more).rejects.toMatchObject(invalidAt('field'))
      expect(await values({ filled: ['Title', 'Title', 'Title'], sum: ['Pages'] })).toHaveLength(2)
    })
  })

  test('[AGG-14] measures nothing by a pass of its own where there are too many groups', async () => {
    const { schema, engine } = world
    const all = { kind: 'all', conditions: [] } as const
    const fields = schema.fields.filter(({ column }) => column).slice(0, 1)
    const list = schema.fields.find(({ column, rules }) => column && rules.form.isList)
    if (!list) throw new Error('no field has lists')
    const measures: Measure[] = [{ field: list, kind: 'unique' }]
    await engine.store.read(async (tx) => {
      const groupsUpTo = (most: number) =>
        tx.recordFinder.groups(schema, all, { fields, measures, most, withFirsts: false })
      const { length } = await groupsUpTo(1_000)
      expect(length).toBeGreaterThan(1)
      const measuredUpTo = async (most: number) =>
        (await groupsUpTo(most)).map(({ measured }) => measured.length)
      expect(await measuredUpTo(length + 1)).toEqual(Array(length).fill(1))
      expect(await measuredUpTo(length)).toEqual(Array(length).fill(0))
    })
  })

  test('[AGG-6] always tells how many records stand before one', async () => {
    const { api, schema } = world
    const query = { tableId: world.tableId, fieldKeyType: 'id' } as const
    const known = world.records.map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(
        filterOf(schema, world.values),
        sortOf(schema),
        fc.constantFrom(...known),
        async (filter, orderBy, recordId) => {
          const asked = { ...query, filter, orderBy }
          const { records } = await api.records.listRecords({ ...asked, take: 100 })
          const { index } = await api.aggregations.getRecordIndex({ ...asked, recordId })
          const place = records.findIndex(({ id }) => id === recordId)
          expect(index).toBe(place < 0 ? null : place)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('[AGG-19] works out what a view notes for the fields that it shows', async () => {
    const { api } = world
    const idOf = new Map(
      (await api.fields.listFields({ tableId })).map(({ name, id }) => [name, id]),
    )
    const columns = (entries: Readonly<Record<string, object>>) =>
      Object.fromEntries(Object.entries(entries).map(([name, of]) => [idOf.get(name) ?? '', of]))
    const { id: viewId } = await api.views.createView({
      ...{ tableId, type: 'grid' },
      filter: {
        ...isEmma.filter,
        filterSet: [{ ...isEmma.filter.filterSet[0], fieldId: idOf.get('Title') ?? '' }],
      },
      columnMeta: columns({
        Pages: { order: 0, statisticFunc: 'sum' },
        Title: { order: 1, statisticFunc: 'unique' },
        Read: { order: 2 },
        Day: { order: 3, statisticFunc: 'filled', hidden: true },
      }),
    })
    const asked = async (more: object = {}) => {
      const { aggregations } = await api.aggregations.aggregateRecords({ tableId, viewId, ...more })
      return aggregations.map(({ fieldId, total }) => [fieldId, total.aggFunc, total.value])
    }
    const [pages, title] = [idOf.get('Pages'), idOf.get('Title')]
    expect(await asked()).toEqual([
      [pages, 'sum', 723.5],
      [title, 'unique', 1],
    ])
    expect(await asked({ ignoreViewQuery: true })).toEqual([
      [pages, 'sum', 723.5],
      [title, 'unique', 2],
    ])
    const groupBy = [{ fieldId: 'Read', order: 'asc' }]
    const grouped = await api.aggregations.aggregateRecords({ tableId, viewId, groupBy } as never)
    expect(Object.values(grouped.aggregations[0]?.group ?? {})).toHaveLength(2)
    expect(await asked({ field: {} })).toEqual([])
    expect(await asked({ field: { max: ['Pages'] } })).toEqual([[pages, 'max', 474]])
    expect(await asked({ viewId: undefined })).toEqual([])
    await withLimits({ statisticsPerCall: 1 }, async () => {
      await expect(asked()).rejects.toMatchObject(invalidAt('field'))
    })
    const { id: fieldId } = await api.fields.createField({
      tableId,
      type: 'number',
      name: 'Turned',
    })
    const columnMeta = [{ fieldId, columnMeta: { statisticFunc: 'average' } }]
    await api.views.setColumnMeta({ tableId, viewId, columnMeta } as never)
    expect(await asked()).toContainEqual([fieldId, 'average', null])
    await api.fields.convertField({
      tableId,
      fieldId,
      type: 'singleLineText',
      options: {},
    } as never)
    expect(await asked()).toHaveLength(2)
    await api.fields.deleteField({ tableId, fieldId })
  })

  test('[AGG-14] works out statistics group by group, for groups of every depth', async () => {
    const { api } = world
    const groupBy: SortItem[] = [
      { fieldId: 'Title', order: 'asc' },
      { fieldId: 'Read', order: 'asc' },
    ]
    const field = { sum: ['Pages'], filled: ['Day'] }
    const { aggregations } = await api.aggregations.aggregateRecords({ tableId, field, groupBy })
    const points = await api.aggregations.getGroupPoints({ tableId, groupBy })
    const byGroup = aggregations.map(({ total, group = {} }) => [
      total.value,
      ...points.flatMap((point) => (point.type === 0 ? [group[point.id]?.value] : [])),
    ])
    // In turn: all, no title, not read, Emma, not read, read, Sanditon, not read.
    expect(byGroup).toEqual([
      [2, 0, 0, 2, 1, 1, 0, 0],
      [723.5, null, null, 723.5, 249.5, 474, null, null],
    ])
    const [filled] = aggregations
    const ids = Object.keys(filled?.group ?? {})
    expect(ids).toHaveLength(7)
    const depthOf = (id: string) =>
      points.flatMap((one) => (one.type === 0 && one.id === id ? [one.depth] : []))[0] ?? -1
    const inOrder = ids.toSorted((a, b) => depthOf(b) - depthOf(a) || (a < b ? -1 : 1))
    expect(ids).toEqual(inOrder)
    expect(Object.values(filled?.group ?? {})[0]).toMatchObject({ aggFunc: 'filled' })
    const unknown = api.aggregations.aggregateRecords({
      tableId,
      field,
      groupBy: [{ fieldId: 'Nothing', order: 'asc' }],
    })
    await expect(unknown).rejects.toMatchObject(invalidAt('groupBy', 0, 'fieldId'))
    const grouped = () => api.aggregations.aggregateRecords({ tableId, field, groupBy })
    for (const [lowered, isRefused] of [
      [{ statisticsByGroup: 14 }, false],
      [{ statisticsByGroup: 13 }, true],
      [{ groups: 4 }, false],
      [{ groups: 3 }, true],
    ] as const) {
      await withLimits(lowered, async () => {
        const answer = grouped()
        if (isRefused) await expect(answer).rejects.toMatchObject(invalidAt('groupBy'))
        else expect((await answer).aggregations).toEqual(aggregations)
      })
    }
  })

  test('[AGG-8] [AGG-14] always measures each group as what follows from its cells', async () => {
    const { schema, records, names, engine } = world
    const people = { name: (id: string) => names.get(id) }
    const measures = schema.fields.flatMap((field) =>
      kindsOf(field).map((kind): Measure => ({ field, kind })),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...schema.fields), { minLength: 1, maxLength: 3 }),
        async (fields) => {
          const expected = evaluateGroups(records, always, fields, people)
          const found = await engine.store.read((tx) =>
            tx.recordFinder.groups(schema, always, {
              fields,
              measures,
              most: 100,
              withFirsts: false,
            }),
          )
          expect(found).toHaveLength(expected.length)
          for (const { identities, records: count, measured } of found) {
            const group = expected.find((one) => isDeepStrictEqual(one.identities, identities))
            expect(count).toBe(group?.records.length)
            for (const [index, { field, kind }] of measures.entries()) {
              requireMeasured(field, kind, group?.records ?? [], measured[index] ?? null)
            }
          }
        },
      ),
      { numRuns: 15 },
    )
  }, 120_000)

  test('[AGG-8] always measures what follows from the cells one by one', async () => {
    const { schema, records, engine, ada } = world
    const asker = {
      actor: { kind: 'user', userId: ada.userId },
      now: new Date(world.clock.now()).toISOString(),
    } as const
    await fc.assert(
      fc.asyncProperty(filterOf(schema, world.values), async (filter) => {
        const { condition } = toRecordQuery(schema, { fieldKeyType: 'id', filter }, asker)
        const found = records.filter((record) => meetsCondition(condition, record, nobody))
        const measures = schema.fields.flatMap((field) =>
          kindsOf(field).map((kind) => ({ field, kind })),
        )
        const answer = await engine.store.read((tx) =>
          tx.recordFinder.measure(schema, condition, measures),
        )
        expect(answer.records).toBe(found.length)
        for (const [index, { field, kind }] of measures.entries()) {
          requireMeasured(field, kind, found, answer.measured[index] ?? null)
        }
      }),
      { numRuns: 40 },
    )
  }, 120_000)
})

/** Fails where the measure isn't what follows from the cells of the records. */
function requireMeasured(
  field: SchemaField,
  kind: MeasureKind,
  records: readonly StoredRecord[],
  measured: Measured,
): void {
  const expected = evaluateMeasure({ field, kind }, records)
  const name = `${kind} of ${field.field.name}`
  if (kind === 'sum' && expected !== null) {
    const difference = Math.abs(Number(measured) - Number(expected))
    // The least numbers that there are have no digits to spare.
    const rounding = Math.max(Math.abs(Number(expected)) * 1e-9, 1e-300)
    expect(difference, name).toBeLessThanOrEqual(rounding)
  } else expect(measured ?? (countingKinds.has(kind) ? 0 : null), name).toEqual(expected)
}

function kindsOf({ rules: { form } }: SchemaField): readonly MeasureKind[] {
  const kinds = statisticsOf(form)
  return [
    ...(kinds.includes('filled') ? (['filled'] as const) : []),
    ...(kinds.includes('unique') ? (['unique'] as const) : []),
    ...(kinds.includes('sum') ? (['sum', 'items', 'least', 'greatest'] as const) : []),
    ...(kinds.includes('earliestDate') ? (['least', 'greatest'] as const) : []),
    ...(kinds.includes('checked') && !form.isList ? (['checked'] as const) : []),
  ]
}

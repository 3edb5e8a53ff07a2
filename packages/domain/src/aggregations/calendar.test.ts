import { filterOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { both } from '../queries/condition.ts'
import { evaluateSpans } from '../records/evaluation/evaluate-spans.ts'
import { toRecordQuery } from '../records/query/to-record-query.ts'
import { isOnDays, toCalendar } from './operations/to-calendar.ts'

describeOnEveryStorage('calendars', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))
  let tableId: string

  beforeAll(async () => {
    const formatting = { timeZone: 'America/New_York' }
    const table = await world.makeTable(
      'Trips',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'From', options: { formatting } },
        { type: 'date', name: 'To', options: { formatting } },
      ],
      [
        { Name: 'short', From: '2026-01-02T12:00:00Z' },
        { Name: 'late', From: '2026-01-03T03:00:00Z', To: '2026-01-03T12:00:00Z' },
        { Name: 'before', From: '2025-12-20T12:00:00Z', To: '2026-01-01T12:00:00Z' },
        { Name: 'wrong', From: '2026-01-04T12:00:00Z', To: '2026-01-01T12:00:00Z' },
        { Name: 'beyond', From: '2026-01-04T12:00:00Z', To: '2026-02-01T12:00:00Z' },
        { Name: 'after', From: '2026-01-06T12:00:00Z' },
        { Name: 'none', To: '2026-01-02T12:00:00Z' },
      ],
    )
    tableId = table.id
  })

  const days = (more: object = {}) =>
    world.api.aggregations.getCalendarDays({
      tableId,
      startDate: '2026-01-01',
      endDate: '2026-01-05',
      startDateFieldId: 'From',
      endDateFieldId: 'To',
      ...more,
    })
  const namesOf = ({ records }: Awaited<ReturnType<typeof days>>) => records.map(({ name }) => name)

  test('[AGG-17] counts each record on all of its days, by the clocks of its fields', async () => {
    const calendar = await days()
    expect(calendar.countMap).toEqual({
      '2026-01-01': 1,
      '2026-01-02': 2,
      '2026-01-03': 1,
      '2026-01-04': 2,
      '2026-01-05': 1,
    })
    expect(namesOf(calendar)).toEqual(['before', 'late', 'short', 'beyond', 'wrong'])
    // A moment means the day that it is on there.
    const moments = { startDate: '2026-01-05T02:00:00Z', endDate: '2026-01-05T04:59:00Z' }
    expect((await days(moments)).countMap).toEqual({ '2026-01-04': 2 })
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId: 'Name', operator: 'is', value: 'late' }],
    } as const
    expect((await days({ filter })).countMap).toEqual({ '2026-01-02': 1, '2026-01-03': 1 })
  })

  test('[AGG-18] has so many days, and shows so many records of each', async () => {
    const refused = async (input: object, ...path: string[]) =>
      expect(days(input)).rejects.toMatchObject(invalidAt(...path))
    await refused({ endDate: '2025-12-31' }, 'endDate')
    await refused({ endDate: '2027-02-05' }, 'endDate')
    expect((await days({ endDate: '2027-02-04' })).countMap['2026-01-06']).toBe(2)
    await refused({ startDateFieldId: 'Name' }, 'startDateFieldId')
    await refused({ endDateFieldId: 'Nothing' }, 'endDateFieldId')
    await withLimits({ calendarRecordsPerDay: 1 }, async () => {
      const calendar = await days()
      expect(namesOf(calendar)).toEqual(['before', 'late', 'beyond'])
      expect(calendar.countMap['2026-01-04']).toBe(2)
    })
  })

  test('[AGG-18] counts the days of all years without making them', async () => {
    const ask = vi.spyOn(Date.prototype, 'toISOString')
    try {
      const all = { startDate: '0001-01-01', endDate: '9999-12-31' }
      await expect(days(all)).rejects.toMatchObject(invalidAt('endDate'))
      expect(ask.mock.calls.length).toBeLessThan(100)
    } finally {
      ask.mockRestore()
    }
  })

  test('[AGG-17] [AGG-18] always is what follows from the cells one by one', async () => {
    const { schema, records, values, names, engine, ada } = world
    const people = { name: (id: string) => names.get(id) }
    const asker = {
      actor: { kind: 'user', userId: ada.userId },
      now: toTimestamp(world.clock.now()),
    } as const
    const ofDates = schema.fields.filter(({ rules: { form } }) => form.item.kind === 'date')
    const field = fc.constantFrom(...ofDates.filter(({ rules }) => !rules.form.isList))
    await engine.store.read((tx) =>
      fc.assert(
        fc.asyncProperty(
          filterOf(schema, values),
          field,
          field,
          fc.constantFrom(...values.moments),
          fc.nat({ max: 398 }),
          fc.integer({ min: 1, max: 10 }),
          async (filter, start, end, first, length, perDay) => {
            const input = { fieldKeyType: 'id', filter } as const
            const { condition } = toRecordQuery(schema, input, asker)
            const last = new Date(Math.min(Date.parse(first) + length * 86_400_000, lastMoment))
            const calendar = toCalendar(schema, {
              fieldKeyType: 'id',
              startDate: first,
              endDate: last.toISOString(),
              startDateFieldId: start.field.id,
              endDateFieldId: end.field.id,
            })
            const asked = { ...calendar, perDay }
            const all = both(condition, isOnDays(asked))
            const found = await tx.recordFinder.spans(schema, all, asked)
            const expected = evaluateSpans(records, all, asked, people)
            expect(found.ids).toEqual(expected.ids)
            const keyed = ({ spans }: typeof found) =>
              new Map(spans.map((span) => [`${span.from} ${span.to}`, span.records]))
            expect(keyed(found)).toEqual(keyed(expected))
          },
        ),
        { numRuns: 200 },
      ),
    )
  }, 120_000)
})

const lastMoment = Date.parse('9999-12-31T23:59:59.999Z')

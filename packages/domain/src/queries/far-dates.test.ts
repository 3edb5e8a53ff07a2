import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import type { FilterOperator } from '../fields/filter-operators.ts'

describeOnEveryStorage('dates far from now', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test.each([
    ['Europe/Berlin', '2199-07-01'],
    ['Europe/Berlin', '9998-08-01'],
    ['Australia/Sydney', '2550-03-01'],
    ['Asia/Manila', '1700-02-01'],
    ['America/New_York', '0001-01-01'],
  ])('[QUERY-13] by the clocks of %s %s counts everywhere as it is shown', async (zone, day) => {
    const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: zone }
    const { id: tableId } = await world.makeTable(
      `${zone} ${day}`,
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'Until', options: { formatting } },
      ],
      [{ Name: 'far', Until: day }],
    )
    const { aggregations, records } = world.api
    const search = ['Until', day].toReversed() as [string, string]
    const listed = await records.listRecords({ tableId, cellFormat: 'text', search })
    expect(listed.records[0]?.fields.Until).toBe(day)
    expect(listed.extra?.searchHitIndex).toHaveLength(1)
    expect(await aggregations.getSearchCount({ tableId, search })).toEqual({ count: 1 })
    const { countMap } = await aggregations.getCalendarDays({
      ...{ tableId, startDate: day, endDate: day },
      ...{ startDateFieldId: 'Until', endDateFieldId: 'Until' },
    })
    expect(countMap).toEqual({ [day]: 1 })
  })

  test.each(['UTC', 'Europe/Berlin', 'America/New_York'])(
    '[QUERY-60] the first and the last moment are on the days that clocks of %s show',
    async (timeZone) => {
      const formatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone }
      const { id: tableId } = await world.makeTable(
        `Ends in ${timeZone}`,
        [
          { type: 'singleLineText', name: 'Name' },
          { type: 'date', name: 'At', options: { formatting } },
        ],
        [
          { Name: 'first', At: '0001-01-01T00:00:00.000Z' },
          { Name: 'now', At: '2026-01-01T12:00:00.000Z' },
          { Name: 'last', At: '9999-12-31T23:59:59.999Z' },
        ],
      )
      const found = async (operator: FilterOperator, mode: string, exactDate: string) => {
        const item = { fieldId: 'At', operator, value: { mode, exactDate } }
        const filter = { conjunction: 'and' as const, filterSet: [item] }
        const { records } = await world.api.records.listRecords({ tableId, filter })
        return records.map(({ name }) => name)
      }
      const last = '9999-12-31'
      expect(await found('is', 'exactDate', last)).toEqual(['last'])
      expect(await found('isAfter', 'exactDate', last)).toEqual([])
      expect(await found('isOnOrBefore', 'exactDate', last)).toEqual(['first', 'now', 'last'])
      expect(await found('isBefore', 'exactDate', `${last}T23:00`)).toEqual(['first', 'now'])
      expect(await found('is', 'exactFormatDate', `${last}T23:59:59.999Z`)).toEqual(['last'])
      const first = '0001-01-01'
      expect(await found('is', 'exactDate', first)).toEqual(['first'])
      expect(await found('isBefore', 'exactDate', first)).toEqual([])
      expect(await found('isOnOrAfter', 'exactDate', first)).toEqual(['first', 'now', 'last'])
      const { countMap } = await world.api.aggregations.getCalendarDays({
        ...{ tableId, startDate: '9999-12-30', endDate: `${last}T23:59:59.999Z` },
        ...{ startDateFieldId: 'At', endDateFieldId: 'At' },
      })
      expect(countMap).toEqual({ [last]: 1 })
    },
  )
})

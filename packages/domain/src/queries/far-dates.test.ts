import { openTableWorld } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { worldOfBlock } from '@gateleg/testing/world-of-block'
import { expect, test } from 'vitest'

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
})

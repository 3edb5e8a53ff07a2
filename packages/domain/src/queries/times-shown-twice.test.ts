import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import type { FilterOperator } from '../fields/filter-operators.ts'

describeOnEveryStorage('times that clocks show twice', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[QUERY-61] are one time in filters, as they are one group', async () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' }
    const { id: tableId } = await world.makeTable(
      'Watches',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'At', options: { formatting } },
      ],
      [
        { Name: 'before', At: '2024-10-27T00:29:00.000Z' },
        { Name: 'first', At: '2024-10-27T00:30:00.000Z' },
        { Name: 'between', At: '2024-10-27T01:29:00.000Z' },
        { Name: 'again', At: '2024-10-27T01:30:59.999Z' },
        { Name: 'after', At: '2024-10-27T01:31:00.000Z' },
      ],
    )
    const { aggregations, records } = world.api
    const groupBy = [{ fieldId: 'At', order: 'asc' }] as const
    const points = await aggregations.getGroupPoints({ tableId, groupBy: [...groupBy] })
    const counts = points.flatMap((point) => (point.type === 0 ? [[point.value, point.count]] : []))
    expect(counts).toEqual([
      ['2024-10-27T00:29:00.000Z', 2],
      ['2024-10-27T00:30:00.000Z', 2],
      ['2024-10-27T00:31:00.000Z', 1],
    ])
    const found = async (operator: FilterOperator, exactDate: string) => {
      const item = { fieldId: 'At', operator, value: { mode: 'exactFormatDate', exactDate } }
      const filter = { conjunction: 'and' as const, filterSet: [item] }
      return (await records.listRecords({ tableId, filter })).records.map(({ name }) => name)
    }
    for (const moment of ['2024-10-27T00:30:00.000Z', '2024-10-27T01:30:00.000Z']) {
      expect(await found('is', moment)).toEqual(['first', 'again'])
      expect(await found('isNot', moment)).toEqual(['before', 'between', 'after'])
      expect(await found('isBefore', moment)).toEqual(['before'])
      expect(await found('isAfter', moment)).toEqual(['between', 'after'])
      expect(await found('isOnOrBefore', moment)).toEqual(['before', 'first', 'again'])
      expect(await found('isOnOrAfter', moment)).toEqual(['first', 'between', 'again', 'after'])
    }
  })

  test('[QUERY-61] are one minute alone, the last one before clocks are set back among them', async () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' }
    const { id: tableId } = await world.makeTable(
      'Last minutes',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'At', options: { formatting } },
      ],
      [
        { Name: '02:58', At: '2024-10-27T00:58:59.999Z' },
        { Name: '02:59', At: '2024-10-27T00:59:00.000Z' },
        { Name: '02:00 again', At: '2024-10-27T01:00:00.000Z' },
        { Name: '02:30 again', At: '2024-10-27T01:30:00.000Z' },
        { Name: '02:59 again', At: '2024-10-27T01:59:59.999Z' },
        { Name: '03:00', At: '2024-10-27T02:00:00.000Z' },
      ],
    )
    const found = async (operator: FilterOperator, exactDate: string) => {
      const item = { fieldId: 'At', operator, value: { mode: 'exactFormatDate', exactDate } }
      const filter = { conjunction: 'and' as const, filterSet: [item] }
      return (await world.api.records.listRecords({ tableId, filter })).records.map(
        ({ name }) => name,
      )
    }
    for (const moment of ['2024-10-27T00:59:00.000Z', '2024-10-27T01:59:00.000Z']) {
      expect(await found('is', moment)).toEqual(['02:59', '02:59 again'])
      expect(await found('isNot', moment)).toEqual(['02:58', '02:00 again', '02:30 again', '03:00'])
      expect(await found('isBefore', moment)).toEqual(['02:58'])
      expect(await found('isOnOrBefore', moment)).toEqual(['02:58', '02:59', '02:59 again'])
      expect(await found('isAfter', moment)).toEqual(['02:00 again', '02:30 again', '03:00'])
    }
  })

  test('[QUERY-220] are on the day that clocks show, also where they are set back across midnight', async () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'America/St_Johns' }
    const { id: tableId } = await world.makeTable(
      'Days',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'date', name: 'At', options: { formatting } },
      ],
      [
        { Name: '6th 23:30', At: '2010-11-07T02:00:00.000Z' },
        { Name: '7th 00:00', At: '2010-11-07T02:30:30.000Z' },
        { Name: '6th 23:01 again', At: '2010-11-07T02:31:00.000Z' },
        { Name: '6th 23:30 again', At: '2010-11-07T03:00:00.000Z' },
        { Name: '7th 00:00 again', At: '2010-11-07T03:30:00.000Z' },
        { Name: '7th 12:00', At: '2010-11-07T15:30:00.000Z' },
      ],
    )
    const { aggregations, records } = world.api
    const groupBy = [{ fieldId: 'At', order: 'asc' }] as const
    const points = await aggregations.getGroupPoints({ tableId, groupBy: [...groupBy] })
    expect(points.flatMap((point) => (point.type === 0 ? [] : [point.count]))).toEqual([3, 3])
    const found = async (operator: FilterOperator, value: object) => {
      const item = { fieldId: 'At', operator, value }
      const filter = { conjunction: 'and' as const, filterSet: [item] }
      return (await records.listRecords({ tableId, filter })).records.map(({ name }) => name)
    }
    const before = ['6th 23:30', '6th 23:01 again', '6th 23:30 again']
    const after = ['7th 00:00', '7th 00:00 again', '7th 12:00']
    for (const mode of ['exactDate', 'exactFormatDate']) {
      const sixth = { mode, exactDate: '2010-11-06' }
      const seventh = { mode, exactDate: '2010-11-07' }
      expect(await found('is', sixth)).toEqual(before)
      expect(await found('is', seventh)).toEqual(after)
      expect(await found('isNot', sixth)).toEqual(after)
      expect(await found('isNot', seventh)).toEqual(before)
      expect(await found('isBefore', seventh)).toEqual(before)
      expect(await found('isOnOrBefore', sixth)).toEqual(before)
      expect(await found('isAfter', sixth)).toEqual(after)
      expect(await found('isOnOrAfter', seventh)).toEqual(after)
      expect(await found('isBefore', sixth)).toEqual([])
      expect(await found('isAfter', seventh)).toEqual([])
    }
    const days = (exactDate: string, exactDateEnd: string) =>
      found('isWithIn', { mode: 'dateRange', exactDate, exactDateEnd })
    expect(await days('2010-11-01', '2010-11-06')).toEqual(before)
    expect(await days('2010-11-07', '2010-11-08')).toEqual(after)
    expect(await days('2010-11-06', '2010-11-07')).toHaveLength(6)
  })
})

import { setImmediate } from 'node:timers/promises'
import { openEngine } from '@gateleg/engine/open-engine'
import { describe, expect, test } from 'vitest'
import { freshPostgres } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

describe.runIf(isOn('postgres'))('a search of dates in many zones', () => {
  test('[QUERY-150] lets others run while the clocks of the zones are looked up', async () => {
    await using engine = await openEngine({ storage: freshPostgres(), jobs: false })
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { bases, records, spaces, tables } = engine.as({ userId })
    const { id: spaceId } = await spaces.createSpace({})
    const { id: baseId } = await bases.createBase({ spaceId })
    const zones = ['Asia/Amman', 'Asia/Beirut', 'Europe/Chisinau', 'America/Nuuk']
    const dates = zones.map((timeZone) => ({
      ...{ type: 'date' as const, name: timeZone },
      options: {
        formatting: { date: 'YYYY-MM-DD' as const, time: 'HH:mm' as const, timeZone },
      },
    }))
    const fields = [{ type: 'singleLineText' as const, name: 'Name' }, ...dates]
    const row = { fields: { 'Asia/Amman': '2024-05-05T10:00:00.000Z' } }
    const { id: tableId } = await tables.createTable({ baseId, fields, records: [row] })
    let turns = 0
    let isOver = false
    const counting = (async () => {
      for (; !isOver; turns++) await setImmediate()
    })()
    const found = await records.listRecords({ tableId, search: ['13:00', '', true] as never })
    isOver = true
    await counting
    expect(found.records).toHaveLength(1)
    expect(turns).toBeGreaterThan(zones.length * 30)
  })
})

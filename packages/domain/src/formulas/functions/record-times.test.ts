import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld } from '@gateleg/testing/worlds/world'
import { expect, test } from 'vitest'

describeOnEveryStorage('times of a record in formulas', (storage) => {
  test('[FORMULA-98] LAST_MODIFIED_TIME is what the record says of itself, its creation at first', async () => {
    const world = await openWorld(storage)
    const { api, spaceId } = await world.newPerson('Ada')
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const { id: tableId, records } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'lastModifiedTime', name: 'Changed' },
        { type: 'formula', name: 'Time', options: { expression: 'LAST_MODIFIED_TIME()' } },
      ],
      records: [{ fields: { Name: 'a' } }],
    })
    const made = '2026-01-01T00:00:00.000Z'
    expect(records).toMatchObject([{ lastModifiedTime: made, fields: { Name: 'a', Time: made } }])
    expect(records[0]?.fields).not.toHaveProperty('Changed')
    world.clock.advance(1_000)
    const recordId = records[0]?.id ?? ''
    const changed = '2026-01-01T00:00:01.000Z'
    expect(
      await api.records.updateRecord({ tableId, recordId, record: { fields: { Name: 'b' } } }),
    ).toMatchObject({ lastModifiedTime: changed, fields: { Time: changed, Changed: changed } })
    await world.close()
  })
})

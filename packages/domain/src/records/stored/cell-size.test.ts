import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

describeOnEveryStorage('sizes of cells and records', (storage) => {
  let world: TableWorld
  let tableId: string

  beforeEach(async () => {
    world = await openTableWorld(storage)
    const names = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ type: 'longText', name }))
    tableId = (
      await world.makeTable('Sizes', [{ type: 'singleLineText', name: 'Name' }, ...names], [])
    ).id
  })
  afterEach(() => world.close())

  const createOne = async (fields: Record<string, string>) => {
    const made = await world.api.records.createRecords({ tableId, records: [{ fields }] })
    return { id: made.records[0]?.id ?? '' }
  }
  const update = (recordId: string, fields: Record<string, string>) =>
    world.api.records.updateRecord({ tableId, recordId, record: { fields } })

  test('[RECORD-7] counts bytes as JSON writes them', async () => {
    // A quote takes two bytes, a control character six.
    for (const [text, bytes] of [
      ['"', 2],
      ['\n', 2],
      ['\u0001', 6],
    ] as const) {
      const full = text.repeat(Math.floor(limits.cellBytes / bytes))
      const { id } = await createOne({ A: full, B: full, C: full })
      await world.expectNoTrace(
        () => createOne({ A: full + text }),
        invalidAt('records', 0, 'fields', 'A'),
      )
      await world.expectNoTrace(
        () => update(id, { D: full, E: 'a'.repeat(100) }),
        invalidAt('record', 'fields'),
      )
    }
  })

  test('[RECORD-7] leaves what was taken by other rules, and the rest of its record open to change', async () => {
    const { A, B } = { A: '"'.repeat(limits.cellBytes - 10), B: 'x'.repeat(limits.cellBytes) }
    const large = { cellBytes: 2 * limits.cellBytes, recordBytes: 4 * limits.cellBytes }
    const { id } = await withLimits(large, () => createOne({ A, B, Name: 'ab' }))
    await withLimits({ recordBytes: limits.cellBytes }, async () => {
      await update(id, { Name: 'cd' })
      await update(id, { B: 'short' })
      await world.expectNoTrace(
        () => update(id, { B: 'shorter no more' }),
        invalidAt('record', 'fields'),
      )
    })
    await world.expectNoTrace(() => update(id, { A: `${A}"` }), invalidAt('record', 'fields', 'A'))
    expect((await update(id, { A: 'small' })).fields).toMatchObject({ A: 'small', Name: 'cd' })
  })
})

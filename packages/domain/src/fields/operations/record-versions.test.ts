import { openTableWorld, type TableWorld, type TestTable } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const text = { type: 'singleLineText' }

describeOnEveryStorage('the versions of records whose fields change', (storage) => {
  let world: TableWorld
  let things: TestTable

  beforeAll(async () => {
    world = await openTableWorld(storage)
    await world.finishJobs()
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const fields = [
      { ...text, name: 'Name' },
      { ...text, name: 'Value' },
    ]
    const rows = ['1', 'two', null, '4', 'five'].map((Value) => ({ Name: 'thing', Value }))
    things = await world.makeTable('Things', fields, rows)
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const versions = async () => {
    const found = await Promise.all(
      things.recordIds.map((recordId) =>
        world.api.records.getRecord({ tableId: things.id, recordId }),
      ),
    )
    return found.map(({ version }) => version)
  }
  const few = <T>(work: () => Promise<T>) =>
    withLimits({ recordsCalculated: 2, recordsPerCalculation: 2 }, work)

  test('[RECORD-23] grow by one where a conversion changes a cell, and where it empties one', async () => {
    await world.convert(things, 'Value', { type: 'number' })
    expect(await world.cellsOf(things, 'Value')).toEqual([1, null, null, 4, null])
    expect(await versions()).toEqual([2, 2, 1, 2, 2])
  })

  test('[RECORD-23] let no write through that was made of a cell that a conversion emptied', async () => {
    const [, recordId = ''] = things.recordIds
    const input = { tableId: things.id, recordId, record: { fields: { Name: 'stale' } } }
    await world.convert(things, 'Value', { type: 'number' })
    await expect(
      world.api.records.updateRecord(input as never, { ifMatch: [1] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await world.recordOf(things, recordId)).toEqual({ Name: 'thing' })
  })

  test('[RECORD-23] grow where the background converts or empties', async () => {
    await few(() => world.convert(things, 'Value', { type: 'number' }))
    expect(await versions()).toEqual([1, 1, 1, 1, 1])
    await few(() => world.finishJobs())
    expect(await world.cellsOf(things, 'Value')).toEqual([1, null, null, 4, null])
    expect(await versions()).toEqual([2, 2, 1, 2, 2])
  })

  test.each([
    ['in one write', (work: () => Promise<unknown>) => work()],
    ['in the background', few],
  ])(
    '[RECORD-23] grow where a field becomes one that follows from others, %s',
    async (_how, by) => {
      const expression = 'IF({Name} = "thing", BLANK(), "")'
      await by(() => world.convert(things, 'Value', { type: 'formula', options: { expression } }))
      await by(() => world.finishJobs())
      expect(await world.cellsOf(things, 'Value')).toEqual([null, null, null, null, null])
      expect(await versions()).toEqual([2, 2, 1, 2, 2])
    },
  )

  test('[RECORD-23] grow where a conversion into a link finds nothing to link to', async () => {
    const others = await world.makeNames('Others', '1', 'five')
    const options = { relationship: 'manyMany', foreignTableId: others.id, isOneWay: true }
    await world.convert(things, 'Value', { type: 'link', options })
    const grown = (await versions()).map((version) => version > 1)
    expect(grown).toEqual([true, true, false, true, true])
  })

  test('[RECORD-23] grow by one where a new required field fills them', async () => {
    const required = { ...text, name: 'State', notNull: true, options: { defaultValue: 'open' } }
    await world.addField(things, required)
    expect(await world.cellsOf(things, 'State')).toEqual(['open', 'open', 'open', 'open', 'open'])
    expect(await versions()).toEqual([2, 2, 2, 2, 2])
    await world.addField(things, { ...text, name: 'Empty' })
    expect(await versions()).toEqual([2, 2, 2, 2, 2])
  })

  test('[RECORD-23] grow by one where the copy of a field has a value', async () => {
    const { id: fieldId } = await world.fieldOf(things, 'Value')
    await world.api.fields.duplicateField({ tableId: things.id, fieldId, name: 'Copy' })
    expect(await world.cellsOf(things, 'Copy')).toEqual(['1', 'two', null, '4', 'five'])
    expect(await versions()).toEqual([2, 2, 1, 2, 2])
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const text = { type: 'singleLineText' }

describeOnEveryStorage('the versions of records whose fields change', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
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
    withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, work)

  test('[RECORD-23] grow by one where a conversion changes a cell, and where it empties one', async () => {
    await world.convert(things, 'Value', { type: 'number' })
    expect(await world.cellsOf(things, 'Value')).toEqual([1, null, null, 4, null])
    expect(await versions()).toEqual([2, 2, 1, 2, 2])
  })

  test.each([
    ['in one write', (work: () => Promise<unknown>) => work()],
    ['in the background', few],
  ])(
    '[RECORD-23] stay where a conversion leaves cells as they are answered, %s',
    async (_how, by) => {
      const convert = async (definition: object) => {
        await by(() => world.convert(things, 'Value', definition))
        await by(() => world.finishJobs())
        return versions()
      }
      for (const type of ['longText', 'singleSelect', 'singleLineText']) {
        expect([type, await convert({ type })]).toEqual([type, [1, 1, 1, 1, 1]])
      }
      expect(await convert({ type: 'number' })).toEqual([2, 2, 1, 2, 2])
      expect(await convert({ type: 'rating' })).toEqual([2, 2, 1, 2, 2])
      expect(await world.cellsOf(things, 'Value')).toEqual([1, null, null, 4, null])
      expect(await convert({ type: 'multipleSelect' })).toEqual([3, 2, 1, 3, 2])
    },
  )

  test.each([
    ['createdTime', 'date', 'number'],
    ['createdBy', 'user', 'number'],
    ['autoNumber', 'number', 'checkbox'],
  ])(
    '[RECORD-23] of what every record has stay where a %s becomes a %s, and grow where it becomes nothing in a %s',
    async (type, kept, lost) => {
      for (const by of [(work: () => Promise<unknown>) => work(), few]) {
        for (const name of ['Kept', 'Lost']) await world.addField(things, { type, name })
        const before = await versions()
        await by(() => world.convert(things, 'Kept', { type: kept }))
        await by(() => world.finishJobs())
        expect(await world.cellsOf(things, 'Kept')).not.toContain(null)
        expect(await versions()).toEqual(before)
        await by(() => world.convert(things, 'Lost', { type: lost }))
        await by(() => world.finishJobs())
        const cells = await world.cellsOf(things, 'Lost')
        expect(await versions()).toEqual(before.map((version) => version + 1))
        if (type !== 'autoNumber') expect(new Set(cells)).toEqual(new Set([null]))
        for (const name of ['Kept', 'Lost']) {
          const { id: fieldId } = await world.fieldOf(things, name)
          await world.api.fields.deleteField({ tableId: things.id, fieldId })
        }
      }
    },
  )

  test('[RECORD-23] grow where the id of a user becomes that user, though the same is stored', async () => {
    const { userId } = world.ada
    await world.change(things, things.recordIds[0], { Value: userId })
    const [before = 0] = await versions()
    const { id: fieldId } = await world.fieldOf(things, 'Value')
    const definition = { tableId: things.id, fieldId, type: 'user' as const }
    expect(await world.api.fields.planConversion(definition)).not.toHaveProperty('skip')
    await world.convert(things, 'Value', { type: 'user' })
    expect(await world.cellsOf(things, 'Value')).toMatchObject([
      { id: userId },
      null,
      null,
      null,
      null,
    ])
    expect((await versions())[0]).toBe(before + 1)
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

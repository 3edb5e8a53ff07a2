import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of conversions', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let bob: Person
  let table: TestTable
  let tableId: string
  let fieldId: string

  beforeAll(async () => {
    api = world.api
    bob = await world.newCollaborator('Bob', 'creator')
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b', 'c')
    tableId = table.id
    fieldId = (await world.addField(table, { type: 'singleLineText', name: 'Field' })).id
    for (const [index, text] of ['1', 'x, y', '2.50'].entries()) await write(index, text)
  })

  const undo = () => api.undo.undoChange({ tableId }, options)
  const redo = () => api.undo.redoChange({ tableId }, options)
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  const convert = (definition: object, by = api, at: object = options) =>
    by.fields.convertField({ tableId, fieldId, ...definition } as never, at)
  const write = (index: number, cell: unknown, by = api, at: object = {}) =>
    by.records.updateRecord(
      {
        ...{ tableId, recordId: table.recordIds[index] ?? '', fieldKeyType: 'id' as const },
        ...{ typecast: true, record: { fields: { [fieldId]: cell } } },
      },
      at,
    )
  const cells = () => world.cellsOf(table, 'Field')
  const stateOf = async () => {
    const fields = await api.fields.listFields({ tableId })
    return { fields, cells: await cells() }
  }

  test('[UNDO-23] puts back types, options and values, and converts them again', async () => {
    const who = { type: 'user', options: { isMultiple: true }, unique: false, notNull: false }
    const steps = [
      { type: 'number', options: { formatting: { type: 'decimal', precision: 1 } } },
      { type: 'number', options: { formatting: { type: 'percent', precision: 0 } } },
      { type: 'checkbox' },
      { type: 'longText', name: 'Field', description: 'Text', dbFieldName: 'text_of' },
      { type: 'multipleSelect', options: { choices: [{ name: 'true', color: 'red' }] } },
      { type: 'singleSelect', options: { choices: [{ name: 'no' }] } },
      { type: 'formula', options: { expression: `{${table.primaryId}} & "!"` } },
      { type: 'singleLineText', unique: true, notNull: true },
      who,
      { type: 'date' },
    ]
    const states = [await stateOf()]
    for (const step of steps) {
      await convert(step)
      states.push(await stateOf())
    }
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await undo()).toEqual(done)
      expect(await stateOf()).toEqual(state)
    }
    for (const state of states.slice(1)) {
      expect(await redo()).toEqual(done)
      expect(await stateOf()).toEqual(state)
    }
    for (const _ of steps) expect(await undo()).toEqual(done)
    expect(await stateOf()).toEqual(states[0])
  })

  test('[UNDO-23] puts back lookups, rollups and what is said of a link', async () => {
    const other = await world.makeNames('Others', 'z')
    const link = await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const read = { foreignTableId: other.id, linkFieldId: link.id, lookupFieldId: other.primaryId }
    await convert({ type: 'singleLineText', isLookup: true, lookupOptions: read })
    await convert({
      type: 'rollup',
      lookupOptions: read,
      options: { expression: 'count({values})' },
    })
    const rollup = await stateOf()
    await convert({ type: 'number' })
    const number = await stateOf()
    await api.fields.convertField(
      {
        ...{ tableId, fieldId: link.id, type: 'link', name: 'Renamed' },
        options: { relationship: 'manyMany', foreignTableId: other.id },
      },
      options,
    )
    expect(await undo()).toEqual(done)
    expect(await stateOf()).toEqual(number)
    expect(await undo()).toEqual(done)
    expect(await stateOf()).toEqual(rollup)
    for (const _ of [1, 2]) expect(await undo()).toEqual(done)
    expect(await cells()).toEqual(['1', 'x, y', '2.50'])
    for (const _ of [1, 2, 3]) expect(await redo()).toEqual(done)
    expect(await stateOf()).toEqual(number)
  })

  test('[UNDO-23] puts back values of records in the trash, and those of records that went there since', async () => {
    await world.remove(table, table.recordIds[1])
    await convert({ type: 'number' })
    const { records } = await api.records.createRecords(
      { tableId, records: [{ fields: { Field: 7 } }] },
      options,
    )
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(done)
    const { trashItems } = await api.trash.listTrashItems({
      ...{ resourceId: tableId, resourceType: 'table' },
    })
    const restored = trashItems.find(({ resourceIds }) => resourceIds?.[0] === table.recordIds[1])
    await api.trash.restoreTrash({ trashId: restored?.id ?? '' })
    expect(await cells()).toEqual(['1', 'x, y', '2.50'])
    await world.remove(table, table.recordIds[1])
    expect(await redo()).toEqual(done)
    expect(await redo()).toEqual(done)
    expect(await cells()).toEqual([1, 2.5, 7])
    expect(records).toHaveLength(1)
  })

  test('[UNDO-23] converts values of records that were made and deleted since', async () => {
    await convert({ type: 'number' })
    await api.records.createRecords({ tableId, records: [{ fields: { Field: 7 } }] }, options)
    for (const _ of [1, 2]) expect(await undo()).toEqual(done)
    const { trashItems } = await api.trash.listTrashItems({
      ...{ resourceId: tableId, resourceType: 'table' },
    })
    await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    expect(await cells()).toEqual(['1', 'x, y', '2.50', '7.00'])
  })

  test('[UNDO-23] follows choices that got other names in filters, and back', async () => {
    await convert({ type: 'singleSelect', options: { choices: [{ name: '1' }] } })
    const { options: before } = await world.fieldOf(table, 'Field')
    const [view] = await api.views.listViews({ tableId })
    const filterSet = [{ fieldId, operator: 'is' as const, value: '1' }]
    const at = { tableId, viewId: view?.id ?? '' }
    await api.views.setViewFilter({ ...at, filter: { conjunction: 'and', filterSet } })
    const { choices } = before as { choices: { id: string; name: string }[] }
    const renamed = choices.map((one) => (one.name === '1' ? { ...one, name: 'one' } : one))
    await convert({ type: 'singleSelect', options: { choices: renamed } })
    const shown = async () => (await api.records.listRecords(at)).records.length
    expect(await shown()).toBe(1)
    expect(await undo()).toEqual(done)
    expect(await cells()).toEqual(['1', 'x, y', '2.50'])
    expect(await shown()).toBe(1)
    expect(await redo()).toEqual(done)
    expect(await cells()).toEqual(['one', 'x, y', '2.50'])
    expect(await shown()).toBe(1)
  })

  const upload = async () => {
    const stream = async function* () {
      yield new TextEncoder().encode('Hello')
    }
    const place = { tableId, recordId: table.recordIds[0] ?? '', fieldId }
    await api.attachments.uploadAttachment({ ...place, file: { name: 'a.txt', stream } })
  }

  test('[UNDO-23] puts back files, and texts that became files', async () => {
    await convert({ type: 'attachment' }, api, {})
    await upload()
    const files = await stateOf()
    await convert({ type: 'singleLineText' })
    const texts = await stateOf()
    await convert({ type: 'attachment' })
    for (const state of [texts, files]) {
      expect(await undo()).toEqual(done)
      expect(await stateOf()).toEqual(state)
    }
    expect(await redo()).toEqual(done)
    expect(await stateOf()).toEqual(texts)
    expect(await undo()).toEqual(done)
    expect(await stateOf()).toEqual(files)
  })

  test('[UNDO-5] [UNDO-23] says of files that are gone by now that they do not come back', async () => {
    await convert({ type: 'attachment' }, api, {})
    await upload()
    await convert({ type: 'number' })
    await withLimits({ unusedFileHours: 1 }, async () => {
      for (let hour = 0; hour < 8; hour++) {
        world.clock.advance(2 * 3_600_000)
        await world.finishJobs()
      }
    })
    const state = await stateOf()
    expect(await undo()).toEqual(failed(/A file that "Field" had is gone by now/))
    expect(await stateOf()).toEqual(state)
  })

  test('[UNDO-5] [UNDO-23] changes nothing where the column was changed since', async () => {
    const since = failed(/The field "Field", or what its cells hold, was changed since/)
    const expectFailed = async (change: () => Promise<unknown>, expected: object) => {
      await convert({ type: 'singleLineText' }, api, {})
      await convert({ type: 'number' })
      await change()
      const state = await stateOf()
      expect(await undo()).toEqual(expected)
      expect(await stateOf()).toEqual(state)
    }
    await expectFailed(() => write(0, 9, bob.api), since)
    await expectFailed(() => world.remove(table, table.recordIds[0]), since)
    await expectFailed(() => convert({ type: 'rating' }, bob.api, {}), since)
    await expectFailed(
      () => bob.api.fields.updateField({ tableId, fieldId, description: 'Of Bob' }),
      since,
    )
    await world.makeNames('Others', 'z')
    await convert({ type: 'number', options: { formatting: { type: 'decimal', precision: 5 } } })
    await write(1, 5, bob.api)
    expect(await undo()).toEqual(done)
    expect((await cells())[0]).toBe(5)
  })

  test('[UNDO-5] [UNDO-23] keeps choices that somebody added, and refuses where one was changed', async () => {
    await convert({ type: 'singleSelect', options: { choices: [{ name: '1' }] } })
    const { options: now } = await world.fieldOf(table, 'Field')
    const { choices } = now as { choices: { name: string }[] }
    const recoloured = choices.map((one) => ({ ...one, color: 'pinkDark1' }))
    await convert({ type: 'singleSelect', options: { choices: recoloured } }, bob.api, {})
    expect(await undo()).toEqual(failed(/was changed since/))
  })

  test('[UNDO-8] [UNDO-27] keeps values that a step has no room for, but not a field that says too much', async () => {
    await write(0, 'x'.repeat(300))
    const texts = await stateOf()
    const convertInLittleRoom = (definition: object) =>
      withLimits({ undoLength: 900 }, () => convert(definition))
    await convertInLittleRoom({ type: 'longText', name: 'Field' })
    const long = await stateOf()
    const room = <T>(work: () => Promise<T>) => withLimits({ undoLength: 900 }, work)
    for (const _ of [1, 2]) {
      expect(await room(undo)).toEqual(done)
      expect(await stateOf()).toEqual(texts)
      expect(await room(redo)).toEqual(done)
      expect(await stateOf()).toEqual(long)
    }
    await convertInLittleRoom({ type: 'number', description: 'x'.repeat(900) })
    expect(await undo()).toEqual(failed(/more than 900 characters/))
  })

  test('[ACCESS-10] [UNDO-4] makes choices of values for tokens alone that may read records', async () => {
    await convert({ type: 'singleSelect' })
    expect(await undo()).toEqual(done)
    const { token } = await api.accessTokens.createToken({
      ...{ name: 'Fields', scopes: ['field|read', 'field|update', 'table|read'] },
      ...{ baseIds: [world.baseId], expiredTime: '2027-01-01' },
    })
    const by = await apiBy(world.engine, token)
    const refusal = { code: 'restricted_resource' }
    await expect(by.undo.redoChange({ tableId }, options)).rejects.toMatchObject(refusal)
    expect(await world.fieldOf(table, 'Field')).toMatchObject({ type: 'singleLineText' })
    expect(await redo()).toEqual(done)
  })

  test('[UNDO-4] [UNDO-23] asks for the right of now', async () => {
    const eve = await world.newCollaborator(`Eve${tableId}`, 'creator')
    await convert({ type: 'number' }, eve.api)
    await api.collaborators.changeBaseCollaborator({
      ...{ baseId: world.baseId, principalId: eve.userId, principalType: 'user' as const },
      role: 'editor',
    })
    const answer = await eve.api.undo.undoChange({ tableId }, options)
    expect(answer).toEqual(failed(/may not take the action "field\|update"/))
  })
})

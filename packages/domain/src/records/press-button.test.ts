import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('buttons', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let recordId: string
  let tables = 0

  beforeEach(async () => {
    table = await world.makeNames(`Buttons ${tables++}`, 'a', 'b')
    recordId = table.recordIds[0] ?? ''
  })

  const addButton = async (options: object = {}) =>
    (await world.addField(table, { type: 'button', name: 'Go', options })).id
  const cell = (fieldId: string) => ({ tableId: table.id, recordId, fieldId })
  const press = (fieldId: string, { records } = world.api) => records.pressButton(cell(fieldId))
  const reset = (fieldId: string) => world.api.records.resetButton(cell(fieldId))
  const counts = () => world.cellsOf(table, 'Go')

  test('[RECORD-63] refuses what is no button, and is not there', async () => {
    const { primaryId } = table
    await expect(press(primaryId)).rejects.toMatchObject({
      ...{ code: 'validation_error', data: { issues: [{ path: ['fieldId'] }] } },
    })
    await expect(press('fldNone')).rejects.toMatchObject({ code: 'not_found' })
    await expect(reset(primaryId)).rejects.toMatchObject({ code: 'validation_error' })
    const fieldId = await addButton()
    const other = await world.makeNames(`Linked ${tables}`, 'x')
    const link = await world.addField(other, {
      ...{ type: 'link', options: { relationship: 'manyOne', foreignTableId: table.id } },
    })
    const lookup = await world.addField(other, {
      ...{ type: 'button', isLookup: true },
      lookupOptions: { foreignTableId: table.id, linkFieldId: link.id, lookupFieldId: fieldId },
    })
    const shown = { tableId: other.id, recordId: other.recordIds[0] ?? '', fieldId: lookup.id }
    await expect(world.api.records.pressButton(shown)).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[RECORD-63] refuses who may not change the record', async () => {
    const fieldId = await addButton()
    const viewer = await world.newCollaborator(`Viewer${tables}`, 'viewer')
    const stranger = await world.newPerson(`Stranger${tables}`)
    await expect(press(fieldId, viewer.api)).rejects.toMatchObject({ code: 'restricted_resource' })
    await expect(press(fieldId, stranger.api)).rejects.toMatchObject({ code: 'not_found' })
    expect(await counts()).toEqual([null, null])
  })

  test('[RECORD-63] counts presses at the same time, up to the highest count', async () => {
    const fieldId = await addButton({ maxCount: 3 })
    const presses = await Promise.allSettled([1, 2, 3, 4, 5].map(() => press(fieldId)))
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await counts()).toEqual([{ count: 3 }, null])
    await expect(press(fieldId)).rejects.toMatchObject({
      ...{ code: 'restricted_resource', message: expect.stringContaining('a higher maxCount') },
    })
  })

  test('[RECORD-63] answers the record, and is undone as other changes', async () => {
    const fieldId = await addButton()
    const { record, version, ...rest } = await world.api.records.pressButton(cell(fieldId), {
      windowId: 'w',
    })
    expect(rest).toEqual({ tableId: table.id, fieldId })
    expect(record).toMatchObject({ id: recordId, fields: { [fieldId]: { count: 1 } } })
    expect(version).toBe(2)
    await world.api.undo.undoChange({ tableId: table.id }, { windowId: 'w' })
    expect(await counts()).toEqual([null, null])
    await world.api.undo.redoChange({ tableId: table.id }, { windowId: 'w' })
    expect(await counts()).toEqual([{ count: 1 }, null])
  })

  test('[FIELD-280] what a change sends of a button is refused, unless the cell holds it', async () => {
    const fieldId = await addButton({ maxCount: 2 })
    await press(fieldId)
    for (const [fields, typecast] of [
      [{ Go: { count: 2 } }, true],
      [{ Name: 'x', Go: { count: 3 } }, false],
      [{ Name: 'x', Go: 'nonsense' }, false],
    ] as const) {
      await world.expectNoTrace(() => world.change(table, recordId, fields, typecast), {
        code: 'validation_error',
        data: { issues: [{ path: ['record', 'fields', 'Go'] }] },
      })
    }
    const records = [{ id: recordId, fields: { Go: { count: 9 } } }]
    await expect(
      world.api.records.updateRecords({ tableId: table.id, records }),
    ).rejects.toMatchObject({ code: 'validation_error' })
    await world.change(table, recordId, { Name: 'again', Go: { count: 1 } })
    await world.change(table, table.recordIds[1], { Go: null })
    await world.change(table, recordId, { Name: 'once more', Go: 'nonsense' }, true)
    expect(await counts()).toEqual([{ count: 1 }, null])
  })

  test('[FIELD-280] a change that sends nothing, or 0, clears the count', async () => {
    const fieldId = await addButton()
    for (const [cleared, left] of [
      [null, null],
      [{ count: 0 }, { count: 0 }],
    ] as const) {
      await press(fieldId)
      await world.change(table, recordId, { Go: cleared })
      expect(await counts()).toEqual([left, null])
    }
  })

  test('[FIELD-280] a change may send the count that there is, and the text of the cell', async () => {
    const fieldId = await addButton({ resetCount: true })
    await press(fieldId)
    const [first, second] = await world.textsOf(table, 'Go')
    const present = [{ Go: { count: 1 } }, { Go: first }]
    for (const fields of present) await world.change(table, recordId, fields, true)
    for (const [Go, typecast] of [
      [{ count: 0 }, false],
      [null, false],
      [second, true],
    ] as const) {
      await world.change(table, table.recordIds[1], { Go }, typecast)
    }
    expect(await counts()).toEqual([{ count: 1 }, null])
    await reset(fieldId)
    await world.change(table, recordId, { Go: null })
    expect(await counts()).toEqual([{ count: 0 }, null])
  })

  test('[FIELD-280] a new record may have a count, as one from elsewhere has', async () => {
    await addButton()
    await world.add(table, { Name: 'c', Go: { count: 5 } })
    expect(await counts()).toEqual([null, null, { count: 5 }])
  })

  test('[RECORD-64] sets the presses back where the field lets people do that', async () => {
    const fieldId = await addButton()
    await press(fieldId)
    await expect(reset(fieldId)).rejects.toMatchObject({ code: 'restricted_resource' })
    expect(await counts()).toEqual([{ count: 1 }, null])
    const options = { label: 'Go', color: 'teal', resetCount: true, maxCount: 1 }
    await world.convert(table, 'Go', { type: 'button', options })
    await expect(press(fieldId)).rejects.toMatchObject({
      ...{ code: 'restricted_resource', message: expect.stringContaining('set it back first') },
    })
    expect(await reset(fieldId)).toMatchObject({ fields: { [fieldId]: { count: 0 } } })
    await press(fieldId)
    expect(await counts()).toEqual([{ count: 1 }, null])
  })
})

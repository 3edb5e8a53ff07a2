import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of many records that were added', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable

  beforeEach(async () => {
    const other = await world.makeNames('Others', 'x', 'y')
    table = await world.makeNames('Names', 'a')
    await world.addField(table, {
      ...{ type: 'link', name: 'Link' },
      options: { relationship: 'manyMany', foreignTableId: other.id },
    })
    const Link = other.recordIds.toReversed().map((id) => ({ id }))
    const records = Array.from('bcdefg', (Name, Count) => ({ fields: { Name, Count, Link } }))
    // What they hold takes more, and their ids less.
    await withLimits({ undoLength: 400 }, () =>
      world.api.records.createRecords({ tableId: table.id, records } as never, options),
    )
  })

  const undo = () => world.api.undo.undoChange({ tableId: table.id }, options)
  const redo = () => world.api.undo.redoChange({ tableId: table.id }, options)
  const names = async () => (await world.cellsOf(table, 'Name')).join('')
  const remove = async (name: string) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    await world.api.fields.deleteField({ tableId: table.id, fieldId })
  }

  test.each(['Count', 'Link'])(
    '[UNDO-111] takes them back where the field %s was deleted since',
    async (name) => {
      await remove(name)
      expect(await undo()).toEqual(done)
      expect(await names()).toBe('a')
      expect(await redo()).toEqual(done)
      expect(await names()).toBe('abcdefg')
      expect(await undo()).toEqual(done)
    },
  )

  const restoreLast = async () => {
    const { trashItems } = await world.api.trash.listTrashItems({
      ...{ resourceId: table.id, resourceType: 'table' },
    })
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
  }

  test.each(['Count', 'Link'])(
    '[UNDO-122] takes them back where the field %s was restored after they came back',
    async (name) => {
      await remove(name)
      expect(await undo()).toEqual(done)
      expect(await redo()).toEqual(done)
      await restoreLast()
      expect(await undo()).toEqual(done)
      expect(await names()).toBe('a')
      expect(await redo()).toEqual(done)
      expect(await names()).toBe('abcdefg')
    },
  )

  test('[UNDO-122] leaves them where one was changed in the field that was restored', async () => {
    await remove('Count')
    expect(await undo()).toEqual(done)
    expect(await redo()).toEqual(done)
    await restoreLast()
    const [, , changed] = (await world.api.records.listRecords({ tableId: table.id })).records
    await world.change(table, changed?.id, { Count: 99 })
    expect(await undo()).toMatchObject({ status: 'failed' })
    expect(await names()).toBe('abcdefg')
  })

  test('[UNDO-18] [UNDO-122] deletes restored records again where a field was restored since', async () => {
    const { records } = await world.api.records.listRecords({ tableId: table.id })
    await world.remove(table, ...records.slice(1).map(({ id }) => id))
    await remove('Count')
    const { trashItems } = await world.api.trash.listTrashItems({
      ...{ resourceId: table.id, resourceType: 'table' },
    })
    const restore = (type: string, at: object) => {
      const entry = trashItems.find(({ resourceType }) => resourceType === type)
      return world.api.trash.restoreTrash({ trashId: entry?.id ?? '' }, at)
    }
    await restore('record', options)
    await restore('field', {})
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('a')
  })

  test('[UNDO-111] leaves them where the field at the other end of their links is no link any more', async () => {
    const { options: link } = await world.fieldOf(table, 'Link')
    const { foreignTableId, symmetricFieldId } = link as Record<string, string>
    await world.api.fields.convertField({
      ...{ tableId: foreignTableId, fieldId: symmetricFieldId, type: 'singleLineText' },
    } as never)
    expect(await undo()).toMatchObject({ status: 'failed' })
    expect(await names()).toBe('abcdefg')
  })

  test('[UNDO-111] leaves them where one was changed as well', async () => {
    const [, , changed] = (await world.api.records.listRecords({ tableId: table.id })).records
    await world.change(table, changed?.id, { Name: 'x' })
    await remove('Count')
    expect(await undo()).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('One of 6 records was changed since'),
    })
    expect(await names()).toBe('abxdefg')
  })

  test('[UNDO-111] leaves them where one was changed in the field before that was deleted', async () => {
    const [, , changed] = (await world.api.records.listRecords({ tableId: table.id })).records
    await world.change(table, changed?.id, { Count: 99 })
    await remove('Count')
    expect(await undo()).toMatchObject({ status: 'failed' })
    expect(await names()).toBe('abcdefg')
  })
})

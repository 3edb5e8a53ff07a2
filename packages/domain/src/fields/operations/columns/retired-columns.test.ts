import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'
import { placeOfRecords } from '../../../tables/table.ts'

describeOnEveryStorage('the columns that conversions replace', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    things = await world.makeNames('Things', 'axe', '7', 'bow')
  })
  afterEach(() => world.clear())

  const convert = (name: string, definition: object) => world.convert(things, name, definition)
  const tableOf = async () => {
    const found = await world.engine.store.read((tx) => tx.tables.findAll([things.id], 'none'))
    const [table] = found
    if (!table) throw new Error('the table is there')
    return table
  }
  const countColumns = async () => {
    const table = await tableOf()
    return world.engine.store.read((tx) => tx.fields.countColumns(placeOfRecords(table)))
  }
  const retired = () => world.engine.store.read((tx) => tx.fields.retiredColumns(things.id))

  test('[FIELD-190] are given to fields again, however often a field is converted', async () => {
    const kinds = ['number', 'checkbox', 'multipleSelect', 'date', 'singleLineText']
    const before = await countColumns()
    for (const type of kinds) await convert('Count', { type })
    const once = await countColumns()
    expect(once - before).toBeLessThan(kinds.length)
    for (let round = 0; round < 6; round++) {
      for (const type of kinds) await convert('Count', { type })
    }
    expect(await countColumns()).toBe(once)
    expect(await retired()).toEqual([])
    await world.change(things, things.recordIds[0], { Count: 'one' })
    await convert('Count', { type: 'number' })
    await world.addField(things, { type: 'longText', name: 'More' })
    expect(await countColumns()).toBe(once)
    expect(await world.cellsOf(things, 'More')).toEqual([null, null, null])
  })

  test('[FIELD-17] [FIELD-190] take no room of new fields once theirs were deleted for good', async () => {
    const refused = { code: 'validation_error', message: expect.stringContaining('from the trash') }
    const { fields } = world.api
    const tableId = things.id
    await withLimits({ columnsPerTable: (await countColumns()) + 3 }, async () => {
      const add = (type: 'number' | 'longText') => fields.createField({ tableId, type })
      for (let round = 0; round < 3; round++) {
        await fields.deleteField({ tableId, fieldId: (await add('number')).id })
      }
      await expect(add('number')).rejects.toMatchObject(refused)
      await world.api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
      await world.finishJobs()
      const made = await add('number')
      await expect(add('longText')).rejects.toMatchObject(refused)
      await fields.duplicateField({ tableId, fieldId: made.id })
      await add('number')
      await expect(fields.duplicateField({ tableId, fieldId: made.id })).rejects.toMatchObject(
        refused,
      )
    })
  })

  test('[FIELD-17] [FIELD-190] are given to both ends of a link of the table to itself', async () => {
    const { fields } = world.api
    const tableId = things.id
    const link = {
      tableId,
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: tableId },
    } as const
    await withLimits({ columnsPerTable: (await countColumns()) + 2 }, async () => {
      const before = (await fields.listFields({ tableId })).length
      await fields.createField(link)
      const ends = (await fields.listFields({ tableId })).slice(before)
      expect(ends).toHaveLength(2)
      await fields.deleteFields({ tableId, fieldIds: ends.map(({ id }) => id) })
      await world.api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
      await world.finishJobs()
      await fields.createField(link)
      expect(await fields.listFields({ tableId })).toHaveLength(before + 2)
    })
  })

  test.each(['at once', 'in the background'])(
    '[FIELD-190] are emptied where deleted records have values that the field, which has an error, does not show: %s',
    async (when) => {
      const few = when === 'at once' ? {} : { recordsCalculated: 1, ...recordsPerSlice(1) }
      const { id } = await world.addField(things, { type: 'singleLineText', name: 'Read' })
      await world.change(things, things.recordIds[1], { Read: 'left' })
      const options = { expression: `{${id}}` }
      await world.addField(things, { type: 'formula', name: 'Shown', options })
      await world.remove(things, things.recordIds[1])
      await world.api.fields.deleteField({ tableId: things.id, fieldId: id })
      await withLimits(few, async () => {
        await convert('Shown', { type: 'longText' })
        await world.finishJobs()
      })
      await world.addField(things, { type: 'longText', name: 'More' })
      const { rows } = await world.engine.store.read((tx) =>
        tx.canonical.records({ tableId: things.id, after: 0 }, 9),
      )
      const cells = rows.map((row) => row.cells as Record<string, unknown>)
      expect(cells.map(({ More }) => More)).toEqual([null, null, null])
    },
  )

  test('[FIELD-190] are emptied in deleted records, too, before they are given to a field', async () => {
    await world.remove(things, things.recordIds[1])
    await convert('Count', { type: 'singleLineText' })
    await world.addField(things, { type: 'number', name: 'More' })
    const structure = await world.engine.store.read((tx) => tx.canonical.structure(world.baseId))
    const { rows } = await world.engine.store.read((tx) =>
      tx.canonical.records({ tableId: things.id, after: 0 }, 9),
    )
    expect(structure.fields).toHaveLength(3)
    expect(rows.map(({ cells }) => (cells as Record<string, unknown>).More)).toEqual([
      null,
      null,
      null,
    ])
    expect(rows.map(({ cells }) => (cells as Record<string, unknown>).Count)).toEqual([
      '1.00',
      '2.00',
      '3.00',
    ])
  })

  test('[FIELD-190] are emptied whatever they held, when their fields follow from others', async () => {
    const options = { relationship: 'manyOne', foreignTableId: things.id }
    const kinds: readonly { readonly type: string; readonly options?: object }[] = [
      { type: 'singleLineText' },
      { type: 'longText' },
      { type: 'singleSelect' },
      { type: 'multipleSelect' },
      { type: 'number' },
      { type: 'date' },
      { type: 'user' },
      { type: 'attachment' },
      { type: 'button' },
      { type: 'link', options },
      { type: 'formula', options: { expression: '{Count} + 1' } },
      { type: 'autoNumber' },
      { type: 'createdTime' },
      { type: 'lastModifiedBy' },
    ]
    for (const kind of kinds) await world.addField(things, { ...kind, name: `Was ${kind.type}` })
    await world.addField(things, {
      type: 'formula',
      name: 'Reader',
      options: { expression: '{Was singleLineText}' },
    })
    const texts = { 'Was singleLineText': 'a', 'Was longText': 'b', 'Was number': 3 }
    await world.change(things, things.recordIds[0], texts)
    for (const { type } of kinds) {
      await convert(`Was ${type}`, { type: 'formula', options: { expression: '1 + 1' } })
      expect(await world.cellsOf(things, `Was ${type}`)).toEqual([2, 2, 2])
    }
    expect(await world.cellsOf(things, 'Reader')).toEqual([2, 2, 2])
    for (const type of ['createdTime', 'autoNumber', 'singleLineText']) {
      for (const kind of kinds) await convert(`Was ${kind.type}`, { type })
    }
    await convert('Was number', { type: 'number' })
    expect(await retired()).toEqual([])
  })

  test('[FIELD-191] of many records are emptied in the background, so many records at a time', async () => {
    const expression = (text: string) => ({ type: 'formula', options: { expression: text } })
    await world.addField(things, { ...expression('{Count} * 2'), name: 'Twice' })
    await withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, async () => {
      await convert('Twice', expression('IF({Count} > 1, "more", "one")'))
      expect(await retired()).toMatchObject([{ type: 'REAL', emptied: 0 }])
      const before = await countColumns()
      await world.addField(things, { type: 'number', name: 'First' })
      expect(await countColumns()).toBe(before + 1)
      const progress = new Set<number>()
      while (await world.runJob()) for (const { emptied } of await retired()) progress.add(emptied)
      expect(progress).toContain(2)
      expect(await retired()).toEqual([])
      await world.addField(things, { type: 'number', name: 'Second' })
      expect(await countColumns()).toBe(before + 1)
      expect(await world.cellsOf(things, 'Second')).toEqual([null, null, null])
      expect(await world.cellsOf(things, 'Twice')).toEqual(['one', 'more', 'more'])
    })
  })

  test('[FIELD-192] are refused a companion where the table has no room for one', async () => {
    expect(limits.columnsWithRetired).toBeLessThan(1_600)
    await withLimits({ columnsWithRetired: await countColumns() }, async () => {
      const refusal = {
        code: 'validation_error',
        message: expect.stringContaining('no room for another column'),
      }
      await world.expectNoTrace(() => convert('Count', { type: 'checkbox' }), refusal)
    })
    await convert('Count', { type: 'checkbox' })
    expect(await world.cellsOf(things, 'Count')).toEqual([true, true, true])
  })
})

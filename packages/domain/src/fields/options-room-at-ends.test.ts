import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settingsLength } from './operations/definition/options-room.ts'

describeOnEveryStorage('the room for options in tables that fields lead to', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable
  /** Has a long description: its room is used up before that of the other table. */
  let places: TestTable

  beforeEach(async () => {
    const text = { type: 'singleLineText', name: 'Name' }
    const long = { type: 'longText', name: 'Note', description: 'd'.repeat(2_000) }
    things = await world.makeTable('Things', [text, { ...text, name: 'Value' }], [])
    places = await world.makeTable('Places', [text, long], [])
  })
  afterEach(() => world.clear())

  const linkTo = ({ id: foreignTableId }: TestTable, more: object = {}) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId, ...more },
  })
  /** Characters that the settings of all fields of a table have. */
  const lengthOf = ({ id }: TestTable) =>
    world.engine.store.read(async (tx) => {
      const [table] = await tx.tables.findAll([id], 'none')
      if (!table) throw new Error('the table is there')
      const { fields } = await tx.fields.schemaOf(table)
      return fields.reduce((sum, { field }) => sum + settingsLength(field), 0)
    })
  const refusalAt = (...path: (string | number)[]) => ({
    code: 'validation_error',
    data: {
      issues: [{ path, message: expect.stringContaining('characters at most') }],
    },
  })
  /** Has the call, and its plan if it has one, refused while tables have room for so many characters. */
  const expectRefused = (room: number, calls: (() => Promise<unknown>)[], ...path: string[]) =>
    withLimits({ tableOptionsLength: room }, async () => {
      for (const call of calls) await world.expectNoTrace(call, refusalAt(...path))
    })
  const withRoom = <T>(room: number, work: () => Promise<T>) =>
    withLimits({ tableOptionsLength: room }, work)

  const create = (definition: object, { id: tableId } = things) =>
    world.api.fields.createField({ tableId, ...definition } as never)
  const planCreation = (definition: object, { id: tableId } = things) =>
    world.api.fields.planCreation({ tableId, ...definition } as never)
  const convert = (fieldId: string, definition: object) =>
    world.api.fields.convertField({ tableId: things.id, fieldId, ...definition } as never)
  const planConversion = (fieldId: string, definition: object) =>
    world.api.fields.planConversion({ tableId: things.id, fieldId, ...definition } as never)

  test('[FIELD-199] [FIELD-147] counts at the other end of a link that comes, in plans too', async () => {
    const room = (await lengthOf(places)) + 50
    const link = linkTo(places)
    const oneWay = linkTo(places, { isOneWay: true })
    const calls = [() => planCreation(link), () => create(link)]
    await expectRefused(room, calls, 'options', 'isOneWay')
    const { id } = await world.fieldOf(things, 'Value')
    const conversions = [() => planConversion(id, link), () => convert(id, link)]
    await expectRefused(room, conversions, 'options', 'isOneWay')
    await withRoom(room, async () => {
      await planCreation(oneWay)
      await planConversion(id, oneWay)
      await convert(id, oneWay)
    })
    const full = linkTo(places, { isOneWay: false })
    const both = [() => planConversion(id, full), () => convert(id, full)]
    await expectRefused(room, both, 'options', 'isOneWay')
    await planConversion(id, full)
    await convert(id, full)
  })

  test('[FIELD-199] counts both ends of a link of a table to itself', async () => {
    const before = await lengthOf(places)
    const link = linkTo(places)
    await create(link, places)
    const both = (await lengthOf(places)) - before
    const room = (await lengthOf(places)) + both - 1
    const calls = [() => planCreation(link, places), () => create(link, places)]
    await expectRefused(room, calls, 'options', 'isOneWay')
    await withRoom(room + 1, async () => {
      await planCreation(link, places)
      await create(link, places)
    })
  })

  test('[FIELD-199] [FIELD-147] counts both ends of a link of a table to itself that change', async () => {
    const { id } = await create(linkTo(things, { relationship: 'oneMany' }))
    const wider = linkTo(things, { relationship: 'manyMany' })
    // The word has a letter more, at both ends.
    const room = (await lengthOf(things)) + 2
    const calls = [() => planConversion(id, wider), () => convert(id, wider)]
    await expectRefused(room - 1, calls, 'options')
    await withRoom(room, async () => {
      await planConversion(id, wider)
      await convert(id, wider)
    })
    expect(await lengthOf(things)).toBe(room)
  })

  test('[FIELD-199] says which field of a new table has no room at its other end', async () => {
    const fields = [{ type: 'singleLineText', name: 'Name' }, linkTo(places)]
    const { baseId } = world
    const make = () => world.api.tables.createTable({ baseId, fields, records: [] } as never)
    const room = (await lengthOf(places)) + 50
    await withRoom(room, () =>
      world.expectNoTrace(make, refusalAt('fields', 1, 'options', 'isOneWay')),
    )
  })

  test('[FIELD-199] [FIELD-147] counts at the other end of a link that changes', async () => {
    const narrow = linkTo(places, { relationship: 'oneOne' })
    const { id } = await create(narrow)
    const wide = linkTo(places)
    const room = (await lengthOf(places)) + 1
    const calls = [() => planConversion(id, wide), () => convert(id, wide)]
    await expectRefused(room, calls, 'options')
    await withRoom(room + 100, async () => {
      await planConversion(id, wide)
      await convert(id, wide)
    })
    // What takes no more than before is taken, whatever the limit is by now.
    await withRoom(1, () => convert(id, narrow))
  })

  test('[FIELD-199] [FIELD-147] counts the choices that a lookup shows, in plans too', async () => {
    const choices = Array.from({ length: 20 }, (_, n) => ({ name: `${n}`.padEnd(99, 'x') }))
    const kind = { type: 'singleSelect', name: 'Kind', options: { choices } }
    const { id: lookupFieldId } = await create(kind, places)
    const { id: linkFieldId } = await create(linkTo(places, { isOneWay: true }))
    const lookupOptions = { foreignTableId: places.id, linkFieldId, lookupFieldId }
    const lookup = { type: 'singleSelect', isLookup: true, lookupOptions }
    const { id } = await world.fieldOf(things, 'Value')
    const room = (await lengthOf(things)) + 2_000
    const creations = [() => planCreation(lookup), () => create(lookup)]
    await expectRefused(room, creations, 'options')
    const conversions = [() => planConversion(id, lookup), () => convert(id, lookup)]
    await expectRefused(room, conversions, 'options')
    await planConversion(id, lookup)
    await convert(id, lookup)
  })

  test('[FIELD-199] gives a lookup an error for choices that a value of another table adds', async () => {
    const { id: lookupFieldId } = await create({ type: 'singleSelect', name: 'Kind' }, places)
    const { id: linkFieldId } = await create(linkTo(places, { isOneWay: true }))
    const lookupOptions = { foreignTableId: places.id, linkFieldId, lookupFieldId }
    await create({ type: 'singleSelect', isLookup: true, name: 'Kinds', lookupOptions })
    const { baseId } = world
    const [{ id: tableId }, room] = [places, (await lengthOf(things)) + 50]
    // The other table's own room is not what ends it.
    await world.api.fields.updateField({
      tableId,
      fieldId: (await world.fieldOf(places, 'Note')).id,
      description: '',
    })
    expect(await lengthOf(places)).toBeLessThan(room - 150)
    const records = [{ fields: { Kind: 'k'.repeat(99) } }]
    const write = { tableId, records, typecast: true }
    await withRoom(room, () => world.api.records.createRecords(write as never))
    expect(await world.fieldOf(things, 'Kinds')).toMatchObject({ hasError: true })
    expect((await world.api.bases.verifyBase({ baseId })).problems).toEqual([])
  })

  test('[FIELD-147] foresees that the other end of a link has no place for a field', async () => {
    const { id } = await world.fieldOf(things, 'Value')
    const link = linkTo(places)
    for (let n = 0; n < 3; n++) await create({ type: 'number' }, places)
    await withLimits({ fieldsPerTable: 5 }, async () => {
      const calls = [
        () => planCreation(link),
        () => create(link),
        () => planConversion(id, link),
        () => convert(id, link),
      ]
      const refusal = { code: 'validation_error', message: expect.stringContaining('5 fields') }
      for (const call of calls) await world.expectNoTrace(call, refusal)
    })
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, expect, test } from 'vitest'

const text = { type: 'singleLineText' }
const number = { type: 'number' }

describeOnEveryStorage('fields that become unique or required', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  afterEach(() => world.clear())

  const makeKeys = (definition: object, ...keys: readonly unknown[]) =>
    world.makeTable(
      'Keys',
      [
        { ...text, name: 'Name' },
        { ...definition, name: 'Key' },
      ],
      keys.map((Key) => ({ Key })),
    )
  const convert = (table: TestTable, definition: object) => world.convert(table, 'Key', definition)
  const refuses = (table: TestTable, definition: object, ...path: readonly string[]) =>
    world.expectNoTrace(() => convert(table, definition), invalidAt(...path))
  const refusesValue = (table: TestTable, Key: unknown) =>
    world.expectNoTrace(() => world.add(table, { Key }), { code: 'validation_error' })

  test('[FIELD-141] refuses values that repeat, as they are or as they become', async () => {
    const table = await makeKeys(text, '1', '1.0', '2', null, null)
    await refuses(table, { ...number, unique: true }, 'unique')
    expect(await convert(table, { ...text, unique: true })).toMatchObject({ unique: true })
    await refusesValue(table, '2')
    await refuses(table, number, 'unique')
    expect(await convert(table, { ...number, unique: false })).not.toHaveProperty('unique')
    await refuses(table, { ...number, unique: true }, 'unique')
    await refuses(table, { type: 'date', unique: true, notNull: true }, 'notNull')
    expect(await world.cellsOf(table, 'Key')).toEqual([1, 1, 2, null, null])
  })

  test('[FIELD-141] refuses cells that are empty, or become so', async () => {
    const table = await makeKeys(text, '1', 'x')
    await refuses(table, { ...number, notNull: true }, 'notNull')
    expect(await convert(table, { ...text, notNull: true })).toMatchObject({ notNull: true })
    await refusesValue(table, null)
    await refuses(table, number, 'notNull')
    await convert(table, { ...text, notNull: false })
    await world.add(table, { Key: null })
    await refuses(table, { ...text, notNull: true }, 'notNull')
    expect(await world.cellsOf(table, 'Key')).toEqual(['1', 'x', null])
  })

  test('[FIELD-141] refuses both from then on', async () => {
    const table = await makeKeys(text, '1', '2')
    const strict = { unique: true, notNull: true }
    expect(await convert(table, { ...number, ...strict })).toMatchObject(strict)
    await refusesValue(table, 1)
    await refusesValue(table, null)
    await world.add(table, { Key: 3 })
    expect(await convert(table, text)).toMatchObject(strict)
    await refusesValue(table, '3.00')
    await refusesValue(table, null)
    await world.add(table, { Key: '3' })
    expect(await convert(table, { type: 'longText' })).toMatchObject(strict)
    await refusesValue(table, '3')
    expect(await world.cellsOf(table, 'Key')).toEqual(['1.00', '2.00', '3.00', '3'])
  })

  test('[FIELD-141] ends where the type can’t be so, or it isn’t wanted', async () => {
    const table = await makeKeys(number, 1, 2)
    await convert(table, { ...number, unique: true, notNull: true })
    const rating = await convert(table, { type: 'rating' })
    expect(rating).toMatchObject({ notNull: true })
    expect(rating).not.toHaveProperty('unique')
    await world.add(table, { Key: 1 })
    await refusesValue(table, null)
    expect(await convert(table, { type: 'checkbox' })).not.toHaveProperty('notNull')
    await world.add(table, { Key: null })
    expect(await world.cellsOf(table, 'Key')).toEqual([true, true, true, null])
    await convert(table, { ...number, notNull: false })
    await world.add(table, { Key: 1 }, { Key: null })
  })

  test('[FIELD-141] takes no notice of deleted records', async () => {
    const table = await makeKeys(text, 'a', 'a', null)
    await world.remove(table, table.recordIds[1], table.recordIds[2])
    const strict = { ...text, unique: true, notNull: true }
    expect(await convert(table, strict)).toMatchObject({ unique: true, notNull: true })
    await refusesValue(table, 'a')
    await world.add(table, { Key: 'b' })
  })

  test('[FIELD-141] requires links', async () => {
    const table = await makeKeys(text, 'a', 'b')
    const things = await world.makeNames('Things', 'a', 'b')
    const options = { relationship: 'manyOne', foreignTableId: things.id }
    const link = { type: 'link', options, notNull: true }
    await world.change(table, table.recordIds[1], { Key: 'c' })
    await refuses(table, link, 'notNull')
    await world.change(table, table.recordIds[1], { Key: 'b' })
    expect(await convert(table, link)).toMatchObject({ notNull: true })
    await refusesValue(table, null)
    await world.add(table, { Key: things.recordIds[0] })
    expect(await world.textsOf(table, 'Key')).toEqual(['a', 'b', 'a'])
    const removal = () => world.remove(things, things.recordIds[0])
    await world.expectNoTrace(removal, { code: 'validation_error' })
  })

  test('[FIELD-141] keeps a column unique whose choices or formatting change', async () => {
    const table = await makeKeys(number, 1, 2)
    await convert(table, { ...number, unique: true })
    const formatting = { type: 'percent', precision: 0 }
    expect(await convert(table, { ...number, options: { formatting } })).toMatchObject({
      unique: true,
    })
    await refusesValue(table, 2)
    await world.convert(table, 'Key', { ...number, name: 'Key', dbFieldName: 'other' })
    await refusesValue(table, 2)
    await world.add(table, { Key: 3 })
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test } from 'vitest'

const text = { type: 'singleLineText' }
const percent = { type: 'number', options: { formatting: { type: 'percent', precision: 1 } } }
const clock = {
  type: 'date',
  options: { formatting: { date: 'D/M/YYYY', time: 'HH:mm', timeZone: 'Asia/Tokyo' } },
}
const tags = { type: 'multipleSelect', options: { choices: [{ name: 'a, b' }, { name: 'c' }] } }
const noon = '2024-03-05T12:00:00.000Z'

describeOnEveryStorage('values that are converted', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let adaId: string

  beforeAll(async () => {
    adaId = world.ada.userId
  })
  afterEach(() => world.clear())

  /** A table with a field called Value that has the cells, one record each, the last one deleted. */
  const makeValues = async (definition: object, values: readonly unknown[]) => {
    const rows = [...values, ...values.slice(-1)].map((Value) => ({ Value }))
    const fields = [
      { ...text, name: 'Name' },
      { ...definition, name: 'Value' },
    ]
    const table = await world.makeTable('Values', fields, rows)
    await world.remove(table, table.recordIds.at(-1))
    return table
  }
  /** What is stored of all records, deleted ones too. */
  const storedOf = ({ id: tableId }: TestTable) =>
    world.engine.store.read(async (tx) => {
      const { rows } = await tx.canonical.records({ tableId, after: 0 }, 100)
      return rows.map(({ cells }) => (cells as Record<string, unknown>).Value)
    })

  test.each<[string, object, readonly unknown[], object, readonly unknown[]]>([
    ['text', text, ['1,234.5', 'x', '-2'], { type: 'number' }, [1234.5, null, -2]],
    ['number', { type: 'number' }, [1234.567, null, -2], text, ['1234.57', null, '-2.00']],
    ['number', percent, [0.256, 1], { type: 'longText' }, ['25.6%', '100.0%']],
    ['number', percent, [0.256, 7, 3], { type: 'rating', options: { max: 5 } }, [null, 5, 3]],
    ['number', { type: 'number' }, [0, 2], { type: 'checkbox' }, [null, true]],
    ['number', { type: 'number' }, [2024, 1], { type: 'date' }, [null, null]],
    ['rating', { type: 'rating' }, [5, 3], { type: 'rating', options: { max: 4 } }, [4, 3]],
    ['rating', { type: 'rating' }, [5, 3], { type: 'number' }, [5, 3]],
    ['checkbox', { type: 'checkbox' }, [true, false, true], { type: 'number' }, [1, null, 1]],
    ['checkbox', { type: 'checkbox' }, [true, false], text, ['true', null]],
    ['text', text, ['no', 'yes'], { type: 'checkbox' }, [null, true]],
    ['moment', clock, [noon], text, ['5/3/2024 21:00']],
    ['moment', clock, [noon], { type: 'date' }, [noon]],
    ['moment', clock, [noon], { type: 'number' }, [null]],
    ['text', text, ['5/3/2024 21:00', 'soon', '5/3/2024 21:00'], clock, [noon, null, noon]],
    ['choices', tags, [['a, b', 'c'], null, ['c']], text, ['"a, b", c', null, 'c']],
    ['text', { type: 'longText' }, ['a\nb'], text, ['a b']],
  ])('[FIELD-133] makes of %s %j with %j', async (_what, from, values, definition, expected) => {
    const table = await makeValues(from, values)
    const { type } = definition as { type: string }
    const before = await world.api.records.listRecords({ tableId: table.id })
    expect(await world.convert(table, 'Value', definition)).toMatchObject({ type })
    expect(await world.cellsOf(table, 'Value')).toEqual(expected)
    expect(await storedOf(table)).toEqual([...expected, expected.at(-1)])
    const after = await world.api.records.listRecords({ tableId: table.id })
    const timesOf = ({ records }: typeof after) => records.map((one) => one.lastModifiedTime)
    expect(timesOf(after)).toEqual(timesOf(before))
    const [first] = table.recordIds
    const [value] = expected.filter((one) => one !== null)
    if (value === undefined) return
    await world.change(table, first, { Value: null })
    expect(await world.change(table, first, { Value: value })).toMatchObject({ Value: value })
  })

  test('[FIELD-133] makes choices of texts, as they come', async () => {
    const table = await makeValues(text, ['a', 'b, c', ' a ', 'd'])
    const single = await world.convert(table, 'Value', { type: 'singleSelect' })
    expect(single.options).toMatchObject({
      choices: ['a', 'b, c', 'd'].map((name) => expect.objectContaining({ name })),
    })
    expect(await storedOf(table)).toEqual(['a', 'b, c', 'a', 'd', 'd'])
    await world.convert(table, 'Value', text)
    const choices = [{ name: 'c', color: 'red' }, { name: 'x' }]
    const several = await world.convert(table, 'Value', {
      type: 'multipleSelect',
      options: { choices },
    })
    expect((several.options.choices as { name: string }[]).map(({ name }) => name)).toEqual([
      'c',
      'x',
      'a',
      'b',
      'd',
    ])
    expect(await storedOf(table)).toEqual([['a'], ['b', 'c'], ['a'], ['d'], ['d']])
    expect(await world.fieldOf(table, 'Value')).toMatchObject({ options: several.options })
  })

  test('[FIELD-133] empties what there is no room for among the choices', async () => {
    await withLimits({ choicesPerSelect: 3, ...recordsPerSlice(2) }, async () => {
      const table = await makeValues(text, ['a', 'b', 'c', 'd', 'a', 'c'])
      await world.convert(table, 'Value', { type: 'singleSelect' })
      expect(await storedOf(table)).toEqual(['a', 'b', 'c', null, 'a', 'c', 'c'])
    })
    await world.clear()
    await withLimits({ choicesPerSelect: 3, ...recordsPerSlice(2) }, async () => {
      const table = await makeValues(text, ['a, b', 'c, d, a', 'd', 'a'])
      const options = { choices: [{ name: 'c' }] }
      await world.convert(table, 'Value', { type: 'multipleSelect', options })
      expect(await storedOf(table)).toEqual([['a', 'b'], ['c', 'a'], null, ['a'], ['a']])
    })
  })

  test('[FIELD-133] makes no choices where the field forbids new ones', async () => {
    const table = await makeValues(text, ['a', 'b'])
    const options = { choices: [{ name: 'b' }], preventAutoNewOptions: true }
    await world.convert(table, 'Value', { type: 'singleSelect', options })
    expect(await storedOf(table)).toEqual([null, 'b', 'b'])
  })

  test('[FIELD-133] finds users by name, and keeps those who are gone', async () => {
    const eve = await world.newCollaborator('Eve', 'editor')
    const table = await makeValues(text, ['ada', 'eve@example.com', 'nobody', 'ada, eve'])
    await world.convert(table, 'Value', { type: 'user', options: { isMultiple: true } })
    expect(await storedOf(table)).toEqual([
      [adaId],
      [eve.userId],
      null,
      [adaId, eve.userId],
      [adaId, eve.userId],
    ])
    await world.api.collaborators.removeBaseCollaborator({
      baseId: world.baseId,
      principalId: eve.userId,
      principalType: 'user',
    })
    await world.convert(table, 'Value', { type: 'user', options: { isMultiple: false } })
    expect(await storedOf(table)).toEqual([adaId, eve.userId, null, adaId, adaId])
    await world.convert(table, 'Value', { type: 'user', options: { isMultiple: true } })
    expect(await storedOf(table)).toEqual([[adaId], [eve.userId], null, [adaId], [adaId]])
    await world.convert(table, 'Value', text)
    expect(await storedOf(table)).toEqual(['ada', 'eve', null, 'ada', 'ada'])
  })

  test('[FIELD-133] goes through many records page by page', async () => {
    const values = Array.from({ length: 7 }, (_, index) => `${index}`)
    const table = await makeValues(text, values)
    await withLimits({ ...recordsPerSlice(3) }, () =>
      world.convert(table, 'Value', { type: 'number' }),
    )
    expect(await storedOf(table)).toEqual([0, 1, 2, 3, 4, 5, 6, 6])
  })

  test('[FIELD-134] keeps the values of a field that was worked out', async () => {
    const table = await makeValues({ type: 'number' }, [1, 2, 3])
    const { id } = await world.fieldOf(table, 'Value')
    const formula = { type: 'formula', options: { expression: `{${id}} * 2` } }
    await world.addField(table, { ...formula, name: 'Twice' })
    const number = await world.convert(table, 'Twice', { type: 'number' })
    expect(number).not.toHaveProperty('isComputed')
    expect(await world.cellsOf(table, 'Twice')).toEqual([2, 4, 6])
    await world.change(table, table.recordIds[0], { Value: 5, Twice: 7 })
    expect(await world.cellsOf(table, 'Twice')).toEqual([7, 4, 6])
    expect(await world.convert(table, 'Twice', formula)).toMatchObject({ isComputed: true })
    expect(await world.cellsOf(table, 'Twice')).toEqual([10, 4, 6])
    await world.convert(table, 'Twice', text)
    expect(await world.cellsOf(table, 'Twice')).toEqual(['10.00', '4.00', '6.00'])
  })

  test('[FIELD-134] keeps what a lookup and a rollup showed', async () => {
    const things = await world.makeNames('Things', 'axe', 'bow')
    const table = await makeValues(text, ['x', 'y'])
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    const link = await world.addField(table, { type: 'link', name: 'Link', options })
    await world.change(table, table.recordIds[0], { Link: things.recordIds })
    const { id: countId } = await world.fieldOf(things, 'Count')
    const reading = { linkFieldId: link.id, foreignTableId: things.id }
    const lookup = {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: { ...reading, lookupFieldId: things.primaryId },
    }
    const rollup = {
      type: 'rollup',
      options: { expression: 'sum({values})' },
      lookupOptions: { ...reading, lookupFieldId: countId },
    }
    await world.addField(table, { ...lookup, name: 'Names' })
    await world.addField(table, { ...rollup, name: 'Sum' })
    expect(await world.convert(table, 'Names', tags)).not.toHaveProperty('lookupOptions')
    expect(await world.convert(table, 'Sum', { type: 'number' })).not.toHaveProperty('isComputed')
    expect(await world.recordOf(table, table.recordIds[0])).toMatchObject({
      Names: ['axe', 'bow'],
      Sum: 3,
    })
    expect(await world.convert(table, 'Names', lookup)).toMatchObject({
      isLookup: true,
      isComputed: true,
      isMultipleCellValue: true,
    })
    expect(await world.convert(table, 'Sum', rollup)).toMatchObject({ isComputed: true })
    expect(await world.recordOf(table, table.recordIds[0])).toMatchObject({
      Names: ['axe', 'bow'],
      Sum: 3,
    })
    await world.convert(table, 'Value', lookup)
    expect(await world.cellsOf(table, 'Value')).toEqual([['axe', 'bow'], null])
  })

  test('[FIELD-134] works out many records in the background, and becomes nothing else meanwhile', async () => {
    const table = await makeValues({ type: 'number' }, [1, 2, 3])
    const { id } = await world.fieldOf(table, 'Value')
    const formula = { type: 'formula', options: { expression: `{${id}} * 2` } }
    await world.addField(table, { type: 'number', name: 'Twice' })
    await withLimits({ recordsCalculated: 1 }, async () => {
      expect(await world.convert(table, 'Twice', formula)).toMatchObject({ isPending: true })
      // What isn't computed yet would be lost.
      const toNumber = () => world.convert(table, 'Twice', { type: 'number' })
      const refusal = { code: 'conflict', message: expect.stringContaining('being worked out') }
      await expect(toNumber()).rejects.toMatchObject(refusal)
      const { id: fieldId } = await world.fieldOf(table, 'Twice')
      const place = { tableId: table.id, fieldId, type: 'number' as const }
      await expect(world.api.fields.planConversion(place)).rejects.toMatchObject(refusal)
      await world.finishJobs()
      expect(await world.api.fields.planConversion(place)).toMatchObject({ keptCellCount: 3 })
      expect(await toNumber()).toMatchObject({ type: 'number', isPending: true })
      await world.finishJobs()
      expect(await world.fieldOf(table, 'Twice')).not.toHaveProperty('isPending')
      expect(await world.cellsOf(table, 'Twice')).toEqual([2, 4, 6])
      await world.change(table, table.recordIds[0], { Twice: 7 })
      await world.finishJobs()
      expect((await world.cellsOf(table, 'Twice'))[0]).toBe(7)
      expect(await world.convert(table, 'Twice', formula)).toMatchObject({ isPending: true })
      await world.finishJobs()
      expect(await world.cellsOf(table, 'Twice')).toEqual([2, 4, 6])
      expect(await world.fieldOf(table, 'Twice')).not.toHaveProperty('isPending')
    })
  })

  test('[FIELD-134] makes links of links that it looks up', async () => {
    const things = await world.makeNames('Things', 'axe', 'bow')
    const table = await makeValues(text, ['x', 'y'])
    const linkTo = (foreignTableId: string) => ({
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId, isOneWay: true },
    })
    const owns = await world.addField(table, { ...linkTo(things.id), name: 'Owns' })
    const knows = await world.addField(table, { ...linkTo(table.id), name: 'Knows' })
    await world.change(table, table.recordIds[0], { Owns: things.recordIds })
    await world.change(table, table.recordIds[1], { Knows: [table.recordIds[0]] })
    const reading = { linkFieldId: knows.id, foreignTableId: table.id, lookupFieldId: owns.id }
    await world.addField(table, {
      type: 'link',
      isLookup: true,
      name: 'Looked',
      lookupOptions: reading,
    })
    await world.convert(table, 'Looked', linkTo(things.id))
    await world.change(table, table.recordIds[0], { Owns: [] })
    expect(await world.textsOf(table, 'Looked')).toEqual([null, 'axe, bow'])
  })

  test('[FIELD-134] takes over what every record has', async () => {
    const table = await makeValues(text, ['x', 'y'])
    const { records } = await world.api.records.listRecords({ tableId: table.id })
    const made = records[0]?.createdTime
    await world.addField(table, { type: 'autoNumber', name: 'Number' })
    await world.addField(table, { type: 'createdTime', name: 'Made' })
    await world.addField(table, { type: 'createdBy', name: 'Maker' })
    await world.convert(table, 'Number', { type: 'number' })
    await world.convert(table, 'Made', { type: 'date' })
    await world.convert(table, 'Maker', { type: 'user' })
    const ada = shownUser(world.ada, 'ada')
    expect(await world.recordOf(table, table.recordIds[1])).toMatchObject({
      Number: 2,
      Made: made,
      Maker: ada,
    })
    await world.change(table, table.recordIds[1], { Number: 9, Made: noon, Maker: null })
    expect(await world.recordOf(table, table.recordIds[1])).toEqual({
      Value: 'y',
      Number: 9,
      Made: noon,
    })
    await world.convert(table, 'Number', { type: 'autoNumber' })
    await world.convert(table, 'Made', { type: 'createdTime' })
    await world.convert(table, 'Maker', { type: 'lastModifiedBy' })
    expect(await world.recordOf(table, table.recordIds[1])).toEqual({
      Value: 'y',
      Number: 2,
      Made: made,
      Maker: ada,
    })
  })

  test('[FIELD-133] makes nothing of what has no text', async () => {
    const table = await makeValues(text, ['x'])
    await world.addField(table, { type: 'button', name: 'Press' })
    await world.convert(table, 'Press', text)
    expect(await world.cellsOf(table, 'Press')).toEqual([null])
    await world.convert(table, 'Value', { type: 'attachment' })
    expect(await world.cellsOf(table, 'Value')).toEqual([null])
  })
})

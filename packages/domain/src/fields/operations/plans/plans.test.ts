import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('plans of changes of fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  /** Three records; their field Kind has texts. */
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeTable(
      'Things',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'singleLineText', name: 'Kind' },
      ],
      [{ Name: 'axe', Kind: '1' }, { Name: 'bow', Kind: 'x' }, { Name: 'cup' }],
    )
  })
  afterEach(() => world.clear())

  const planCreation = (definition: object, table = things) =>
    world.api.fields.planCreation({ tableId: table.id, ...definition } as never)
  const planConversion = async (name: string, definition: object, table = things) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    return world.api.fields.planConversion({ tableId: table.id, fieldId, ...definition } as never)
  }
  const planDeletion = async (name: string, table = things) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    return world.api.fields.planDeletion({ tableId: table.id, fieldId })
  }
  const linkTo = ({ id: foreignTableId }: TestTable, more: object = {}) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId, ...more },
  })
  /** Fails unless the call changes nothing, and tells nothing. */
  const changingNothing = async <T>(call: () => Promise<T>): Promise<T> => {
    const { baseId } = world
    const before = await world.api.bases.verifyBase({ baseId })
    const answers: T[] = []
    const events = await world.heard(async () => answers.push(await call()))
    expect(events).toEqual([])
    expect(await world.api.bases.verifyBase({ baseId })).toEqual(before)
    return answers[0] as T
  }

  test('[FIELD-147] refuse what can’t be', async () => {
    const formula = (expression: string) => ({ type: 'formula', options: { expression } })
    const refused: [object, ...string[]][] = [
      [{ type: 'rollup' }, 'lookupOptions'],
      [{ type: 'number', options: { color: 'red' } }, 'options'],
      [formula('1 +'), 'options', 'expression'],
      [formula('{fldNone}'), 'options', 'expression'],
      [linkTo({ ...things, id: 'tbl0' }), 'options', 'foreignTableId'],
      [{ type: 'number', name: '__proto__' }, 'name'],
      [{ type: 'number', dbFieldName: 'Name' }, 'dbFieldName'],
    ]
    for (const [definition, ...path] of refused) {
      await world.expectNoTrace(() => planCreation(definition), invalidAt(...path))
      await world.expectNoTrace(() => planConversion('Kind', definition), invalidAt(...path))
    }
    const { id } = await world.fieldOf(things, 'Kind')
    await world.expectNoTrace(
      () => planConversion('Kind', formula(`{${id}}`)),
      invalidAt('options'),
    )
    await world.expectNoTrace(() => planConversion('Name', { type: 'button' }), invalidAt('type'))
    await world.expectNoTrace(() => planDeletion('Name'), { code: 'restricted_resource' })
    const order = { viewId: 'viw0', orderIndex: 1 }
    const placed = invalidAt('order', 'viewId')
    await world.expectNoTrace(() => planCreation({ type: 'number', order }), placed)
    const required = { type: 'number', notNull: true }
    await world.expectNoTrace(() => planCreation(required), invalidAt('notNull'))
    const filled = { ...required, unique: true, options: { defaultValue: 1 } }
    await world.expectNoTrace(() => planCreation(filled), invalidAt('unique'))
    await world.expectNoTrace(
      () => planConversion('Kind', { type: 'number', name: 'Name' }),
      invalidAt('name'),
    )
  })

  test('[FIELD-147] are for those who may make the change', async () => {
    const { api } = await world.newCollaborator('Eve', 'editor')
    const { id: fieldId } = await world.fieldOf(things, 'Kind')
    const place = { tableId: things.id, type: 'number' as const }
    const refusal = { code: 'restricted_resource' }
    for (const call of [
      () => api.fields.planCreation(place),
      () => api.fields.planConversion({ ...place, fieldId }),
      () => api.fields.planDeletion({ tableId: things.id, fieldId }),
    ]) {
      await world.expectNoTrace(call, refusal)
    }
    for (const call of [
      () => world.api.fields.planConversion({ ...place, fieldId: people.primaryId }),
      () => world.api.fields.planDeletion({ tableId: things.id, fieldId: people.primaryId }),
    ]) {
      await world.expectNoTrace(call, { code: 'not_found' })
    }
  })

  test('[FIELD-147] [FIELD-148] of a creation count the cells that are filled, and the links', async () => {
    const plan = (definition: object) => changingNothing(() => planCreation(definition))
    const none = { estimateTime: 0, updateCellCount: 0, linkFieldCount: 0 }
    expect(await plan({ type: 'number' })).toEqual(none)
    expect(await plan(linkTo(people))).toEqual({ ...none, linkFieldCount: 2 })
    expect(await plan(linkTo(people, { isOneWay: true }))).toEqual({ ...none, linkFieldCount: 1 })
    const filled = { type: 'number', notNull: true, options: { defaultValue: 1 } }
    for (const definition of [
      filled,
      { type: 'formula', options: { expression: '1' } },
      { type: 'autoNumber' },
    ]) {
      const { estimateTime, ...counts } = await plan(definition)
      expect(counts).toEqual({ updateCellCount: 3, linkFieldCount: 0 })
      expect(estimateTime).toBeGreaterThan(0)
    }
  })

  test('[FIELD-262] of a conversion to a link counts what records in the trash lose', async () => {
    await world.addField(things, { type: 'createdTime', name: 'Made' })
    await world.change(things, things.recordIds[0], { Kind: 'none' })
    await world.change(things, things.recordIds[1], { Kind: 'ann' })
    const planned = async (name: string) => {
      const { keptCellCount, emptiedCellCount, updateCellCount } = await changingNothing(() =>
        planConversion(name, linkTo(people, { isOneWay: true })),
      )
      return [keptCellCount, emptiedCellCount, updateCellCount]
    }
    expect(await planned('Kind')).toEqual([1, 1, 2])
    await world.remove(things, things.recordIds[0])
    expect(await planned('Kind')).toEqual([1, 1, 2])
    expect(await planned('Made')).toEqual([0, 3, 3])
  })

  test('[FIELD-148] count records no further than to the limit', async () => {
    await world.addField(things, {
      type: 'formula',
      name: 'Loud',
      options: { expression: 'UPPER({Kind})' },
    })
    const countCells = async () => [
      (await planCreation({ type: 'autoNumber' })).updateCellCount,
      (await planConversion('Loud', { type: 'autoNumber' })).updateCellCount,
    ]
    expect(await countCells()).toEqual([3, 3])
    expect(await withLimits({ recordsCounted: 2 }, countCells)).toEqual([2, 2])
  })

  test.each<[string, object, object]>([
    ['text', { type: 'number' }, { kept: 1, emptied: 1 }],
    ['text', { type: 'longText' }, { kept: 2, emptied: 0 }],
    ['text', { type: 'checkbox' }, { kept: 2, emptied: 0 }],
    ['text', { type: 'date' }, { kept: 0, emptied: 2 }],
    ['text', { type: 'singleLineText', options: { defaultValue: 'x' } }, { kept: 2, emptied: 0 }],
    ['text', { type: 'singleSelect' }, { kept: 2, emptied: 0 }],
    [
      'text',
      {
        type: 'multipleSelect',
        options: { choices: [{ name: 'x' }], preventAutoNewOptions: true },
      },
      { kept: 1, emptied: 1 },
    ],
  ])(
    '[FIELD-147] [FIELD-148] of a conversion of %s to %j count as it does',
    async (_, to, counts) => {
      const { keptCellCount, emptiedCellCount } = await changingNothing(() =>
        planConversion('Kind', to),
      )
      expect({ kept: keptCellCount, emptied: emptiedCellCount }).toEqual(counts)
      await world.convert(things, 'Kind', to)
      const cells = await world.cellsOf(things, 'Kind')
      expect(cells.filter((cell) => cell !== null)).toHaveLength(keptCellCount)
      expect(await changingNothing(() => planConversion('Kind', to))).toMatchObject({
        keptCellCount,
        emptiedCellCount: 0,
        updateCellCount: 0,
        skip: true,
      })
    },
  )

  test('[FIELD-148] of a conversion say whether it touches a cell at all', async () => {
    expect(await planConversion('Kind', { type: 'longText' })).toHaveProperty('skip', true)
    expect(await planConversion('Kind', { type: 'number' })).not.toHaveProperty('skip')
    const { id } = await world.fieldOf(things, 'Kind')
    await world.addField(things, { type: 'formula', options: { expression: `{${id}}` } })
    expect(await planConversion('Kind', { type: 'longText' })).not.toHaveProperty('skip')
  })

  test('[FIELD-148] of a conversion that no cell follows from are skipped, whatever reads the field', async () => {
    const formatting = (precision: number) => ({ formatting: { type: 'decimal', precision } })
    const size = { type: 'number', name: 'Size' }
    const { id } = await world.addField(things, { ...size, options: formatting(0) })
    await world.change(things, things.recordIds[0], { Size: 2 })
    const formula = { type: 'formula', options: { expression: `{${id}} & ""` } }
    await world.addField(things, { ...formula, name: 'Text' })
    const link = await world.addField(people, { ...linkTo(things), name: 'Owns' })
    await world.change(people, people.recordIds[0], { Owns: things.recordIds.slice(0, 2) })
    const lookupOptions = { linkFieldId: link.id, foreignTableId: things.id, lookupFieldId: id }
    const rollup = { type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions }
    const lookup = { type: 'number', isLookup: true, lookupOptions }
    await world.addField(people, { ...rollup, name: 'Sum' })
    await world.addField(people, { ...lookup, name: 'Sizes' })
    const skipped = { updateCellCount: 0, estimateTime: 0, skip: true }
    const plan = async (name: string, definition: object, table = things) =>
      changingNothing(() => planConversion(name, definition, table))
    for (const [name, table] of [
      ['Size', things],
      ['Text', things],
      ['Owns', people],
      ['Sum', people],
      ['Sizes', people],
    ] as const) {
      const { type, options, isLookup, lookupOptions } = await world.fieldOf(table, name)
      const same = { type, options, isLookup, lookupOptions }
      expect([name, await plan(name, same, table)]).toMatchObject([
        name,
        { ...skipped, linkFieldCount: 0 },
      ])
      const renamed = { ...same, name: 'Other', description: 'another' }
      expect([name, await plan(name, renamed, table)]).toMatchObject([name, skipped])
    }
    expect(await plan('Size', { ...size, options: formatting(3) })).toMatchObject(skipped)
    await world.addField(people, {
      ...linkTo(things, { lookupFieldId: id, isOneWay: true }),
      name: 'Titled',
    })
    // The titles of both people's links.
    const shown = await plan('Size', { ...size, options: formatting(3) })
    expect(shown).toMatchObject({ updateCellCount: 2 })
    expect(shown).not.toHaveProperty('skip')
    const other = { ...formula, options: { expression: `{${id}} & "!"` } }
    expect(await plan('Text', other)).toMatchObject({ updateCellCount: 3 })
    const titled = linkTo(things, { lookupFieldId: id })
    expect(await plan('Owns', titled, people)).not.toHaveProperty('skip')
  })

  test('[FIELD-148] of another way to show moments count the texts that have them', async () => {
    const { id } = await world.addField(things, { type: 'date', name: 'Day' })
    await world.addField(things, { type: 'formula', options: { expression: `{${id}} & ""` } })
    const formatting = { date: 'YYYY', time: 'None', timeZone: 'UTC' }
    const plan = await planConversion('Day', { type: 'date', options: { formatting } })
    expect(plan).toMatchObject({ updateCellCount: 3 })
  })

  test('[FIELD-148] of a conversion of choices count the cells that change', async () => {
    const select = (...choices: object[]) => ({ type: 'singleSelect', options: { choices } })
    const one = { id: 'choA', name: '1' }
    const x = { id: 'choB', name: 'x' }
    await world.convert(things, 'Kind', select(one, x))
    expect(await planConversion('Kind', select(one, { ...x, name: 'y' }))).toMatchObject({
      keptCellCount: 2,
      emptiedCellCount: 0,
      updateCellCount: 1,
    })
    expect(await planConversion('Kind', select(one))).toMatchObject({
      keptCellCount: 1,
      emptiedCellCount: 1,
      updateCellCount: 1,
    })
  })

  test.each<object>([
    { type: 'formula', options: { expression: '"x"' } },
    { type: 'autoNumber' },
    { type: 'createdTime' },
    { type: 'createdBy' },
    { type: 'lastModifiedTime' },
    { type: 'lastModifiedBy' },
  ])(
    '[FIELD-148] of a conversion to %j say that all values are lost, of deleted records too',
    async (to) => {
      const [recordId = ''] = things.recordIds
      await world.api.records.deleteRecord({ tableId: things.id, recordId })
      const lost = { keptCellCount: 0, emptiedCellCount: 2 }
      // One of the two is of the deleted record; the cells of both others are computed.
      expect(await changingNothing(() => planConversion('Kind', to))).toMatchObject({
        ...lost,
        updateCellCount: 3,
      })
      await world.convert(things, 'Kind', to)
      // What is computed is nobody's value: nothing is lost with it.
      expect(
        await planConversion('Kind', { type: 'formula', options: { expression: '1' } }),
      ).toMatchObject({ keptCellCount: 0, emptiedCellCount: 0 })
    },
  )

  test('[FIELD-148] of a conversion to a lookup count the values that are lost, links among them', async () => {
    const link = await world.addField(things, { ...linkTo(people, { isOneWay: true }), name: 'Of' })
    await world.change(things, things.recordIds[0], { Of: [people.recordIds[0]] })
    const lookupOptions = {
      linkFieldId: link.id,
      foreignTableId: people.id,
      lookupFieldId: people.primaryId,
    }
    const lookup = { type: 'singleLineText', isLookup: true, lookupOptions }
    expect(await planConversion('Kind', lookup)).toMatchObject({
      keptCellCount: 0,
      emptiedCellCount: 2,
    })
    expect(await planConversion('Of', { type: 'autoNumber' })).toMatchObject({
      keptCellCount: 0,
      emptiedCellCount: 1,
      linkFieldCount: 1,
    })
    const counted = await withLimits({ recordsCounted: 1 }, () => planConversion('Kind', lookup))
    expect(counted).toMatchObject({ emptiedCellCount: 1 })
  })

  test('[FIELD-148] of a conversion of many records go through all of them', async () => {
    await withLimits({ ...recordsPerSlice(1), choicesPerSelect: 1 }, async () => {
      expect(await planConversion('Kind', { type: 'singleSelect' })).toMatchObject({
        keptCellCount: 1,
        emptiedCellCount: 1,
      })
    })
  })

  test('[FIELD-147] [FIELD-148] count the fields that follow, and links at both ends', async () => {
    const link = await world.addField(people, { ...linkTo(things), name: 'Owns' })
    await world.change(people, people.recordIds[0], { Owns: things.recordIds.slice(0, 2) })
    const { id: lookupFieldId } = await world.fieldOf(things, 'Kind')
    const lookupOptions = { linkFieldId: link.id, foreignTableId: things.id, lookupFieldId }
    const { id: kinds } = await world.addField(people, {
      type: 'singleLineText',
      name: 'Kinds',
      isLookup: true,
      lookupOptions,
    })
    const expression = `{${kinds}}`
    await world.addField(people, { type: 'formula', name: 'F', options: { expression } })
    const plan = await changingNothing(() => planConversion('Kind', { type: 'number' }))
    // One text becomes a number and one is emptied; Kinds and F are computed for two records each.
    expect(plan).toMatchObject({ updateCellCount: 6, linkFieldCount: 0 })
    expect(await changingNothing(() => planDeletion('Kind'))).toMatchObject({
      updateCellCount: 4,
      linkFieldCount: 0,
    })
    expect(await planDeletion('F', people)).toMatchObject({ updateCellCount: 0, estimateTime: 0 })
    expect(await changingNothing(() => planDeletion('Owns', people))).toMatchObject({
      updateCellCount: 4,
      linkFieldCount: 2,
    })
    expect(await planDeletion('People')).toMatchObject({ linkFieldCount: 2 })
    const oneWay = linkTo(things, { isOneWay: true })
    const toText = await changingNothing(() => planConversion('Owns', { type: 'longText' }, people))
    expect(toText).toMatchObject({ keptCellCount: 1, emptiedCellCount: 0, linkFieldCount: 2 })
    expect(await planConversion('Owns', oneWay, people)).toMatchObject({
      keptCellCount: 1,
      emptiedCellCount: 0,
      linkFieldCount: 2,
    })
    const fromText = await changingNothing(() => planConversion('Kind', linkTo(people)))
    expect(fromText).toMatchObject({ keptCellCount: 0, emptiedCellCount: 2, linkFieldCount: 2 })
  })
})

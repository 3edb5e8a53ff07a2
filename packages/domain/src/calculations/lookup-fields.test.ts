import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestField, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rollupExpressions } from '../fields/types/rollup.ts'

describeOnEveryStorage('lookups and rollups', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  let link: TestField
  /** Reads the name of things, by default. */
  let reading: { linkFieldId: string; foreignTableId: string; lookupFieldId: string }

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    link = await world.addField(people, { type: 'link', options })
    const { id: foreignTableId, primaryId: lookupFieldId } = things
    reading = { linkFieldId: link.id, foreignTableId, lookupFieldId }
  })
  afterEach(() => world.clear())

  const lookup = (settings: object = {}, options: object = {}) => ({
    type: 'singleLineText',
    isLookup: true,
    lookupOptions: { ...reading, ...options },
    ...settings,
  })
  const rollup = (settings: object = {}, options: object = {}) => ({
    type: 'rollup',
    lookupOptions: { ...reading, ...options },
    ...settings,
  })
  const refuses = (definition: object, ...path: readonly (string | number)[]) =>
    world.expectNoTrace(() => world.addField(people, definition), invalidAt(...path))

  test('[CALC-2] refuse links that are none, or not there', async () => {
    const gone = await world.addField(people, { type: 'number' })
    await world.api.fields.deleteField({ tableId: people.id, fieldId: gone.id })
    const symmetric = await world.fieldOf(things, 'People')
    const path = ['lookupOptions', 'linkFieldId']
    for (const linkFieldId of ['fld0', people.primaryId, gone.id, symmetric.id, '__proto__']) {
      await refuses(lookup({}, { linkFieldId }), ...path)
      await refuses(rollup({}, { linkFieldId }), ...path)
    }
    const ofLinks = await world.addField(
      people,
      lookup({ type: 'link' }, { lookupFieldId: symmetric.id }),
    )
    await refuses(lookup({}, { linkFieldId: ofLinks.id }), ...path)
    const id = 'fldReadsItself00000'
    await world.expectNoTrace(() => world.addField(people, lookup({ id }, { linkFieldId: id })), {
      code: 'validation_error',
    })
  })

  test('[CALC-2] refuse tables and fields that the link does not lead to', async () => {
    const gone = await world.addField(things, { type: 'number' })
    await world.api.fields.deleteField({ tableId: things.id, fieldId: gone.id })
    for (const make of [lookup, rollup]) {
      for (const foreignTableId of ['tbl0', people.id]) {
        await refuses(make({}, { foreignTableId }), 'lookupOptions', 'foreignTableId')
      }
      for (const lookupFieldId of ['fld0', people.primaryId, gone.id]) {
        await refuses(make({}, { lookupFieldId }), 'lookupOptions', 'lookupFieldId')
      }
      await refuses(make({}, { filter: 'all' }), 'lookupOptions', 'filter')
      await refuses(make({}, { sort: [] }), 'lookupOptions')
      await refuses({ ...make(), lookupOptions: undefined }, 'lookupOptions')
    }
    await refuses({ type: 'number', lookupOptions: reading }, 'lookupOptions')
    await refuses({ ...lookup(), isLookup: false }, 'lookupOptions')
  })

  test('[CALC-3] refuse another type than that of the field', async () => {
    await refuses(lookup({ type: 'number' }), 'type')
    await refuses(lookup({ type: 'longText' }), 'type')
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    await refuses(lookup({}, { lookupFieldId }), 'type')
    await refuses(lookup({ options: { defaultValue: 'x' } }), 'options')
    const formatting = { date: 'YYYY', time: 'None', timeZone: 'UTC' }
    const number = { type: 'number', options: { formatting } }
    await refuses(lookup(number, { lookupFieldId }), 'options', 'formatting')
    for (const [definition, message] of [
      [
        lookup(number, { lookupFieldId }),
        'options.formatting: type: is required: one of "decimal", "percent", "currency"; the field that is looked up is of type "number"',
      ],
      [
        lookup({ options: { formatting } }),
        'options.formatting: must be left out: the field that is looked up is of type "singleLineText", which has none',
      ],
      [
        lookup({ type: 'number', options: { showAs: { type: 'url' } } }, { lookupFieldId }),
        'options.showAs: type: must be one of "bar", "ring"; the field that is looked up is of type "number"',
      ],
    ] as const) {
      await expect(world.addField(people, definition)).rejects.toMatchObject({ message })
    }
  })

  test('[FIELD-8] refuse to be conditional', async () => {
    await refuses(lookup({ isConditionalLookup: true }), 'isConditionalLookup')
    expect(await world.addField(people, lookup({ isConditionalLookup: false }))).toMatchObject({
      isLookup: true,
    })
  })

  test('[CALC-5] refuse rollups that make nothing of the values', async () => {
    const expression = (text: string) => ({ options: { expression: text } })
    const date = await world.addField(things, { type: 'date' })
    for (const text of ['sum({values})', 'average({values})']) {
      const definition = rollup(expression(text), { lookupFieldId: date.id })
      await refuses(definition, 'options', 'expression')
    }
    await refuses(rollup(expression('median({values})')), 'options', 'expression')
    await refuses(rollup(expression(`{${people.primaryId}}`)), 'options', 'expression')
    await refuses(rollup({ options: { limit: 1 } }), 'options')
    await refuses(rollup({ options: { timeZone: 'Mars/Olympus' } }), 'options', 'timeZone')
    const text = { showAs: { type: 'url' } }
    await refuses(rollup({ options: text }), 'options', 'showAs')
  })

  test('[CALC-9] refuse to be primary, unique or required', async () => {
    const options = { relationship: 'manyOne', foreignTableId: things.id }
    const linked = { type: 'link', id: 'fldLinkToThings0000', options }
    const through = { linkFieldId: linked.id }
    for (const field of [lookup({}, through), rollup({}, through)]) {
      await refuses({ ...field, unique: true }, 'unique')
      await refuses({ ...field, notNull: true }, 'notNull')
      const fields = [field, linked] as never
      await world.expectNoTrace(
        () => world.api.tables.createTable({ baseId: world.baseId, fields }),
        invalidAt('fields', 0, 'type'),
      )
    }
  })

  test('[CALC-3] [CALC-4] [CALC-9] [CALC-10] answer what they read, and how', async () => {
    const { fkHostTableName, selfKeyName, foreignKeyName } = link.options
    const place = { relationship: 'manyMany', fkHostTableName, selfKeyName, foreignKeyName }
    const lies = { relationship: 'oneOne', fkHostTableName: 'x', selfKeyName: 7 }
    const field = await world.addField(people, lookup({}, lies))
    expect(field).toEqual({
      id: field.id,
      name: 'Name (from Things)',
      type: 'singleLineText',
      options: {},
      cellValueType: 'string',
      dbFieldType: 'JSON',
      dbFieldName: 'Name_from_Things_',
      isLookup: true,
      lookupOptions: { ...reading, ...place },
      isComputed: true,
      isMultipleCellValue: true,
      version: 1,
    })
    expect(await world.addField(people, rollup({}, lies))).toEqual({
      id: expect.any(String),
      name: 'Name Rollup (from Things)',
      type: 'rollup',
      options: {
        expression: 'countall({values})',
        formatting: { type: 'decimal', precision: 2 },
      },
      cellValueType: 'number',
      dbFieldType: 'REAL',
      dbFieldName: 'Name_Rollup_from_Things_',
      lookupOptions: { ...reading, ...place },
      isComputed: true,
      version: 1,
    })
    expect(await world.addField(people, lookup())).toMatchObject({ name: 'Name (from Things) 2' })
    const named = await world.addField(people, lookup({ name: 'What', unique: false }))
    expect(named).toMatchObject({ name: 'What' })
  })

  test('[CALC-3] hold one value through a link to one record', async () => {
    const options = { relationship: 'manyOne', foreignTableId: things.id }
    const one = await world.addField(people, { type: 'link', name: 'One', options })
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const shown = { formatting: { type: 'percent', precision: 1 } }
    const number = await world.addField(
      people,
      lookup({ type: 'number', options: shown }, { linkFieldId: one.id, lookupFieldId }),
    )
    expect(number).toMatchObject({ options: shown, cellValueType: 'number', dbFieldType: 'REAL' })
    expect(number).not.toHaveProperty('isMultipleCellValue')
    await world.change(people, people.recordIds[0], { One: things.recordIds[1] })
    expect(await world.cellsOf(people, 'Count (from One)')).toEqual([2, null])
    expect(await world.textsOf(people, 'Count (from One)')).toEqual(['200.0%', null])
    const choices = [{ name: 'x' }, { name: 'y' }]
    const tags = await world.addField(things, { type: 'multipleSelect', options: { choices } })
    const many = await world.addField(
      people,
      lookup({ type: 'multipleSelect' }, { linkFieldId: one.id, lookupFieldId: tags.id }),
    )
    expect(many).toMatchObject({ options: tags.options, isMultipleCellValue: true })
    await world.change(things, things.recordIds[1], { Tags: ['y', 'x'] })
    expect(await world.cellsOf(people, 'Tags (from One)')).toEqual([['y', 'x'], null])
  })

  test('[CALC-3] follow the options of the field that they read', async () => {
    const { id: fieldId } = await world.fieldOf(things, 'Count')
    const options = { formatting: { type: 'percent', precision: 0 } }
    await world.addField(people, lookup({ type: 'number', options }, { lookupFieldId: fieldId }))
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
    expect(await world.textsOf(people, 'Count (from Things)')).toEqual(['100%, 200%, 300%', null])
    expect(await world.cellsOf(people, 'Count (from Things)')).toEqual([[1, 2, 3], null])
  })

  test('[CALC-3] of a formula show values as their kind can be shown, whatever it becomes', async () => {
    const formula = (expression: string) => ({ type: 'formula', options: { expression } })
    const { id: lookupFieldId } = await world.addField(things, { name: 'Of', ...formula('1.5') })
    const date = { date: 'YYYY-MM', time: 'None', timeZone: 'UTC' }
    const asDate = lookup({ type: 'formula', options: { formatting: date } }, { lookupFieldId })
    await refuses(asDate, 'options', 'formatting')
    const formatting = { type: 'percent', precision: 0 }
    await world.addField(
      people,
      lookup({ type: 'formula', name: 'Shown', options: { formatting } }, { lookupFieldId }),
    )
    await world.change(people, people.recordIds[0], { Things: things.recordIds.slice(0, 1) })
    const shown = async () => (await world.textsOf(people, 'Shown'))[0]
    expect(await shown()).toBe('150%')
    await world.convert(things, 'Of', formula('CREATED_TIME()'))
    expect(await shown()).toBe(new Date(world.clock.now()).toISOString().slice(0, 10))
    await world.convert(things, 'Of', formula('"a"'))
    expect(await shown()).toBe('a')
    expect((await world.fieldOf(people, 'Shown')).options).not.toHaveProperty('formatting')
    await world.convert(things, 'Of', formula('2'))
    expect(await shown()).toBe('2.00')
  })

  test('[CALC-5] are of the kind that their expression gives', async () => {
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const date = await world.addField(things, { type: 'date', name: 'Day' })
    const kinds = async (fieldId: string, expressions: readonly string[] = rollupExpressions) => {
      const found: Record<string, string> = {}
      for (const expression of expressions) {
        const definition = rollup({ options: { expression } }, { lookupFieldId: fieldId })
        const field = await world.addField(people, definition)
        found[expression.replace('({values})', '')] =
          field.cellValueType + (field.isMultipleCellValue ? 's' : '')
      }
      return found
    }
    const always = {
      countall: 'number',
      counta: 'number',
      count: 'number',
      and: 'boolean',
      or: 'boolean',
      xor: 'boolean',
      array_join: 'string',
      concatenate: 'string',
    }
    expect(await kinds(lookupFieldId)).toEqual({
      ...always,
      sum: 'number',
      average: 'number',
      max: 'number',
      min: 'number',
      array_unique: 'numbers',
      array_compact: 'numbers',
    })
    const withoutSums = rollupExpressions.filter((text) => !/sum|average/.test(text))
    expect(await kinds(date.id, withoutSums)).toEqual({
      ...always,
      max: 'dateTime',
      min: 'dateTime',
      array_unique: 'dateTimes',
      array_compact: 'dateTimes',
    })
  })

  test('[CALC-10] [CALC-11] are made with their table, by ids that the client chose', async () => {
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    const linkFieldId = 'fldLinkOfClient0000'
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const notes = await world.makeTable(
      'Notes',
      [
        { type: 'singleLineText', name: 'Text' },
        { ...lookup({}, { linkFieldId }) },
        {
          ...rollup({ options: { expression: 'sum({values})' } }, { linkFieldId, lookupFieldId }),
          name: 'Sum',
        },
        { type: 'link', id: linkFieldId, name: 'About', options },
        { type: 'formula', name: 'Twice', options: { expression: '{Sum} * 2' } },
      ],
      [{ Text: 'one', About: [things.recordIds[2], things.recordIds[1]] }, { Text: 'two' }],
    )
    expect(await world.cellsOf(notes, 'Name (from About)')).toEqual([['cup', 'bow'], null])
    expect(await world.cellsOf(notes, 'Sum')).toEqual([5, 0])
    expect(await world.cellsOf(notes, 'Twice')).toEqual([10, 0])
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('fields that follow from one that is converted', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  /** Linked from People by Owns: Ann to both, Bob to the second. */
  let things: TestTable
  let countId: string
  let reading: { readonly linkFieldId: string; readonly foreignTableId: string }

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow')
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    const link = await world.addField(people, { type: 'link', name: 'Owns', options })
    reading = { linkFieldId: link.id, foreignTableId: things.id }
    const [axe, bow] = things.recordIds
    await world.change(people, people.recordIds[0], { Owns: [axe, bow] })
    await world.change(people, people.recordIds[1], { Owns: [bow] })
    countId = (await world.fieldOf(things, 'Count')).id
  })
  afterEach(() => world.clear())

  const formula = (name: string, expression: string) => ({
    type: 'formula',
    name,
    options: { expression },
  })
  const lookup = (name: string, type: string, lookupFieldId: string) => ({
    type,
    name,
    isLookup: true,
    lookupOptions: { ...reading, lookupFieldId },
  })
  const sum = (name: string, lookupFieldId: string) => ({
    type: 'rollup',
    name,
    options: { expression: 'sum({values})' },
    lookupOptions: { ...reading, lookupFieldId },
  })

  test('[FIELD-139] takes the type and the values of the field that it looks up', async () => {
    const { id: fieldId } = await world.addField(people, lookup('Counts', 'number', countId))
    const { userId } = world.ada
    const formatting = { type: 'percent', precision: 0 }
    await world.convert(things, 'Count', { type: 'number', options: { formatting } })
    expect(await world.textsOf(people, 'Counts')).toEqual(['1.00, 2.00', '2.00'])
    const events = await world.heard(() => world.convert(things, 'Count', { type: 'longText' }))
    const told = { name: 'field.updated', userId }
    expect(events.filter((event) => 'fieldId' in event)).toEqual([
      { ...told, tableId: things.id, fieldId: countId },
      { ...told, tableId: people.id, fieldId },
    ])
    expect(await world.fieldOf(people, 'Counts')).toMatchObject({
      type: 'longText',
      isLookup: true,
      options: {},
      cellValueType: 'string',
      dbFieldType: 'JSON',
      isMultipleCellValue: true,
    })
    expect(await world.cellsOf(people, 'Counts')).toEqual([['100%', '200%'], ['200%']])
    await world.convert(things, 'Count', { type: 'multipleSelect' })
    const { options } = await world.fieldOf(people, 'Counts')
    expect(options.choices).toHaveLength(2)
    expect(await world.cellsOf(people, 'Counts')).toEqual([['100%', '200%'], ['200%']])
    await world.convert(things, 'Count', { type: 'checkbox' })
    expect(await world.fieldOf(people, 'Counts')).toMatchObject({ cellValueType: 'boolean' })
    expect(await world.cellsOf(people, 'Counts')).toEqual([[true, true], [true]])
  })

  test('[FIELD-139] becomes one value when its link does', async () => {
    await world.addField(people, lookup('Counts', 'number', countId))
    await world.addField(people, sum('Sum', countId))
    const options = { relationship: 'manyOne', foreignTableId: things.id }
    await world.convert(people, 'Owns', { type: 'link', options })
    expect(await world.fieldOf(people, 'Counts')).toMatchObject({
      dbFieldType: 'REAL',
      lookupOptions: { relationship: 'manyOne' },
    })
    expect(await world.fieldOf(people, 'Counts')).not.toHaveProperty('isMultipleCellValue')
    expect(await world.cellsOf(people, 'Counts')).toEqual([1, 2])
    expect(await world.cellsOf(people, 'Sum')).toEqual([1, 2])
    const many = { relationship: 'oneMany', foreignTableId: things.id }
    await world.convert(people, 'Owns', { type: 'link', options: many })
    expect(await world.cellsOf(people, 'Counts')).toEqual([[1], [2]])
    await world.change(people, people.recordIds[0], { Owns: [] })
    await world.change(people, people.recordIds[1], { Owns: things.recordIds })
    expect(await world.cellsOf(people, 'Counts')).toEqual([null, [1, 2]])
    expect(await world.cellsOf(people, 'Sum')).toEqual([0, 3])
  })

  test('[FIELD-139] has an error as long as its link is none, or leads elsewhere', async () => {
    await world.addField(people, lookup('Counts', 'number', countId))
    await world.addField(people, sum('Sum', countId))
    const { id: sumId } = await world.fieldOf(people, 'Sum')
    await world.addField(people, formula('More', `{${sumId}} + 1`))
    const expectErrors = async (isBroken: boolean) => {
      for (const name of ['Counts', 'Sum']) {
        const field = await world.fieldOf(people, name)
        expect([name, field.hasError ?? false]).toEqual([name, isBroken])
      }
    }
    const others = await world.makeNames('Others', 'axe')
    const link = (foreignTableId: string) => ({
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId },
    })
    for (const definition of [{ type: 'longText' }, link(others.id)]) {
      await world.convert(people, 'Owns', definition)
      await expectErrors(true)
      expect(await world.cellsOf(people, 'Counts')).toEqual([null, null])
      expect(await world.fieldOf(people, 'More')).not.toHaveProperty('hasError')
      expect(await world.cellsOf(people, 'More')).toEqual([1, 1])
      await world.convert(people, 'Owns', link(things.id))
      await expectErrors(false)
      const isText = definition.type === 'longText'
      expect(await world.cellsOf(people, 'Counts')).toEqual(isText ? [[1, 2], [2]] : [[1], null])
      expect(await world.cellsOf(people, 'More')).toEqual(isText ? [4, 3] : [2, 1])
    }
  })

  test('[FIELD-139] has an error while a formula or rollup can’t be, and heals', async () => {
    await world.addField(things, formula('Twice', `ROUND({${countId}} * 2, 0)`))
    const { id: twiceId } = await world.fieldOf(things, 'Twice')
    await world.addField(people, sum('Sum', twiceId))
    await world.addField(people, lookup('Twices', 'formula', twiceId))
    const errors = async () =>
      Promise.all(
        [
          [things, 'Twice'],
          [people, 'Sum'],
          [people, 'Twices'],
        ].map(async ([table, name]) => {
          return (await world.fieldOf(table as TestTable, name as string)).hasError ?? false
        }),
      )
    expect(await world.cellsOf(people, 'Sum')).toEqual([6, 4])
    await world.convert(
      things,
      'Twice',
      formula('Twice', `DATETIME_PARSE("2024-03-0" & {${countId}})`),
    )
    expect(await errors()).toEqual([false, true, false])
    expect(await world.cellsOf(people, 'Sum')).toEqual([null, null])
    expect(await world.fieldOf(people, 'Twices')).toMatchObject({ cellValueType: 'dateTime' })
    await world.convert(things, 'Twice', formula('Twice', `{${countId}}`))
    expect(await errors()).toEqual([false, false, false])
    expect(await world.cellsOf(people, 'Sum')).toEqual([3, 2])
    await world.convert(things, 'Count', { type: 'date' })
    expect(await errors()).toEqual([false, true, false])
    await world.convert(things, 'Count', { type: 'number' })
    expect(await errors()).toEqual([false, false, false])
    await world.change(things, things.recordIds[0], { Count: 5 })
    expect(await world.cellsOf(people, 'Sum')).toEqual([5, 0])
  })

  test('[FIELD-139] has an error while its formula can’t be', async () => {
    const expression = `DATETIME_FORMAT({${countId}}, "YYYY")`
    await world.convert(things, 'Count', { type: 'date' })
    await world.addField(things, formula('Year', expression))
    await world.change(things, things.recordIds[0], { Count: '2024-03-05' })
    expect(await world.cellsOf(things, 'Year')).toEqual(['2024', null])
    await world.convert(things, 'Count', { type: 'checkbox' })
    expect(await world.fieldOf(things, 'Year')).toMatchObject({ hasError: true })
    expect(await world.cellsOf(things, 'Year')).toEqual([null, null])
    await world.convert(things, 'Count', { type: 'date' })
    await world.change(things, things.recordIds[1], { Count: '2025-03-05' })
    expect(await world.fieldOf(things, 'Year')).not.toHaveProperty('hasError')
    expect(await world.cellsOf(things, 'Year')).toEqual([null, '2025'])
  })

  test('[FIELD-139] shows titles anew', async () => {
    await world.convert(things, 'Name', formula('Name', `"No. " & {${countId}}`))
    expect(await world.textsOf(people, 'Owns')).toEqual(['No. 1, No. 2', 'No. 2'])
    await world.convert(things, 'Count', { type: 'singleLineText' })
    expect(await world.textsOf(people, 'Owns')).toEqual(['No. 1.00, No. 2.00', 'No. 2.00'])
    expect(await world.textsOf(things, 'People')).toEqual(['ann', 'ann, bob'])
  })

  test('[FIELD-140] refuses a circle in one table, and names its way', async () => {
    await world.addField(things, formula('B', `{${countId}}`))
    const { id: b } = await world.fieldOf(things, 'B')
    await world.addField(things, formula('C', `{${b}} + 1`))
    const { id: c } = await world.fieldOf(things, 'C')
    const convert = () => world.convert(things, 'Count', formula('Count', `{${c}}`))
    await world.expectNoTrace(convert, invalidAt('options'))
    const message = expect.stringContaining('"Count" → "C" → "B" → "Count"')
    await expect(convert()).rejects.toMatchObject({ message })
    const itself = () => world.convert(things, 'Count', formula('Count', `{${countId}}`))
    await world.expectNoTrace(itself, { code: 'validation_error' })
  })

  test('[FIELD-140] refuses a circle through links and lookups of two tables', async () => {
    const { id: counts } = await world.addField(people, lookup('Counts', 'number', countId))
    const { id: sumId } = await world.addField(people, sum('Sum', countId))
    const { id: symmetricId } = await world.fieldOf(things, 'People')
    const back = { foreignTableId: people.id, linkFieldId: symmetricId }
    const refuses = async (table: TestTable, name: string, definition: object, trail: string) => {
      const convert = () => world.convert(table, name, definition)
      await world.expectNoTrace(convert, invalidAt('options'))
      const message = expect.stringContaining(trail)
      await expect(convert()).rejects.toMatchObject({ message })
    }
    const rollup = {
      type: 'rollup',
      options: { expression: 'countall({values})' },
      lookupOptions: { ...back, lookupFieldId: sumId },
    }
    await refuses(things, 'Count', rollup, '"Count" → "Sum" → "Count"')
    const looked = {
      type: 'number',
      isLookup: true,
      lookupOptions: { ...back, lookupFieldId: counts },
    }
    await refuses(things, 'Count', looked, '"Count" → "Counts" → "Count"')
    const { id: ownsId } = await world.fieldOf(people, 'Owns')
    const { id: nameId } = await world.fieldOf(things, 'Name')
    await world.convert(people, 'Name', formula('Name', `{${ownsId}}`))
    const titles = formula('Name', `{${symmetricId}}`)
    await refuses(things, 'Name', titles, '"Name" → "People" → "Name" → "Owns" → "Name"')
    expect(await world.api.fields.getField({ tableId: things.id, fieldId: nameId })).toMatchObject({
      type: 'singleLineText',
    })
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the conversion of fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeEach(async () => {
    things = await world.makeNames('Things', 'axe', '7')
  })
  afterEach(() => world.clear())

  const convert = (name: string, definition: object) => world.convert(things, name, definition)
  const refuses = (name: string, definition: object, refusal: object) =>
    world.expectNoTrace(() => convert(name, definition), refusal)
  const columnNameOf = (fieldId: string) =>
    world.engine.store.read(async (tx) => {
      const { fields } = await tx.canonical.structure(world.baseId)
      return fields.find(({ id }) => id === fieldId)?.columnName
    })

  test('[FIELD-232] keeps what the field names though it is gone', async () => {
    const { api, baseId } = world
    const others = await world.makeNames('Others', 'ash')
    const { id: viewId } = await api.views.createView({ tableId: others.id, type: 'grid' })
    const [gone, left] = await Promise.all([
      world.newCollaborator(`Gone${storage.name}`, 'viewer'),
      world.newCollaborator(`Left${storage.name}`, 'viewer'),
    ])
    const to = { relationship: 'manyMany', foreignTableId: others.id, filterByViewId: viewId }
    await world.addField(things, { type: 'link', name: 'Of', options: to })
    const options = { isMultiple: false, defaultValue: gone.userId }
    await world.addField(things, { type: 'user', name: 'Who', options })
    await api.views.deleteView({ tableId: others.id, viewId })
    for (const { userId } of [gone, left]) {
      const who = { principalId: userId, principalType: 'user' } as const
      await api.collaborators.removeBaseCollaborator({ baseId, ...who })
    }
    const isSaid = { description: 'Said' }
    expect(await convert('Of', { type: 'link', ...isSaid })).toMatchObject(isSaid)
    const several = { type: 'user', options: { isMultiple: true, defaultValue: [gone.userId] } }
    expect(await convert('Who', several)).toMatchObject({ options: several.options })
    const stranger = { isMultiple: true, defaultValue: [gone.userId, left.userId] }
    const unknown = invalidAt('options', 'defaultValue')
    await refuses('Who', { type: 'user', options: stranger }, unknown)
    const none = { ...to, filterByViewId: 'viwNone' }
    await refuses('Of', { type: 'link', options: none }, invalidAt('options', 'filterByViewId'))
  })

  test.each([
    [['type'], {}],
    [['type'], { type: 'conditionalRollup' }],
    [['lookupOptions'], { type: 'number', isLookup: true }],
    [['lookupOptions'], { type: 'rollup' }],
    [['options', 'expression'], { type: 'formula' }],
    [['options', 'expression'], { type: 'formula', options: { expression: '1 +' } }],
    [['options', 'expression'], { type: 'formula', options: { expression: '{fldNone}' } }],
    [['options'], { type: 'number', options: { color: 'red' } }],
    [['options', 'defaultValue'], { type: 'number', options: { defaultValue: 'x' } }],
    [['options', 'defaultValue'], { type: 'user', options: { defaultValue: 'usr0' } }],
    [
      ['options', 'foreignTableId'],
      {
        type: 'link',
        options: { relationship: 'oneOne', foreignTableId: 'tbl0' },
      },
    ],
    [
      ['options', 'trackedFieldIds'],
      { type: 'lastModifiedBy', options: { trackedFieldIds: ['fld0'] } },
    ],
    [['unique'], { type: 'checkbox', unique: true }],
    [['notNull'], { type: 'checkbox', notNull: true }],
    [['aiConfig', 'type'], { type: 'number', aiConfig: { type: 'guess', modelKey: 'm' } }],
    [['name'], { type: 'number', name: 'Name' }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'Name' }],
    [['dbFieldName'], { type: 'number', dbFieldName: '__id' }],
    [['description'], { type: 'number', description: '\ude00' }],
  ])('[FIELD-131] [FIELD-26] refuses %j of %j', async (path, definition) => {
    const issues = [expect.objectContaining({ path: expect.arrayContaining([path[0]]) })]
    await refuses('Count', definition, { code: 'validation_error', data: { issues } })
    await convert('Count', definition).catch((error) => {
      expect(error.data.issues[0].path).toEqual(path)
    })
  })

  test('[FIELD-131] says where a formula is wrong', async () => {
    const formula = { type: 'formula', options: { expression: '1 + + ' } }
    await refuses('Count', formula, invalidAt('options', 'expression'))
    const message = expect.stringContaining('(position 4)')
    await expect(convert('Count', formula)).rejects.toMatchObject({ message })
  })

  test('[FIELD-132] keeps what a primary field can be', async () => {
    const link = await world.addField(things, {
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: things.id },
    })
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const lookupOptions = { foreignTableId: things.id, linkFieldId: link.id, lookupFieldId }
    const refused = [
      { type: 'checkbox' },
      { type: 'attachment' },
      { type: 'button' },
      { type: 'link', options: { relationship: 'oneOne', foreignTableId: things.id } },
      { type: 'rollup', lookupOptions },
      { type: 'number', isLookup: true, lookupOptions },
    ]
    for (const definition of refused) await refuses('Name', definition, invalidAt('type'))
    for (const type of ['number', 'longText', 'singleSelect', 'createdTime', 'singleLineText']) {
      expect(await convert('Name', { type })).toMatchObject({ type, isPrimary: true })
    }
  })

  test('[ACCESS-1] is for those who may change fields', async () => {
    const fieldId = (await world.fieldOf(things, 'Count')).id
    for (const role of ['editor', 'viewer'] as const) {
      const { api } = await world.newCollaborator(role, role)
      await world.expectNoTrace(
        () => api.fields.convertField({ tableId: things.id, fieldId, type: 'longText' }),
        { code: 'restricted_resource' },
      )
    }
    const { api } = await world.newPerson('stranger')
    await world.expectNoTrace(
      () => api.fields.convertField({ tableId: things.id, fieldId, type: 'longText' }),
      { code: 'not_found' },
    )
  })

  test('[FIELD-19] hides fields that are not of the table', async () => {
    const other = await world.makeNames('Others')
    for (const fieldId of ['fld0', '__proto__', other.primaryId]) {
      await world.expectNoTrace(
        () => world.api.fields.convertField({ tableId: things.id, fieldId, type: 'longText' }),
        { code: 'not_found' },
      )
    }
  })

  test('[FIELD-130] keeps what is left out', async () => {
    const options = { formatting: { type: 'percent', precision: 1 }, defaultValue: 3 }
    const made = await world.addField(things, {
      type: 'number',
      name: 'Cost',
      dbFieldName: 'BI_cost',
      description: 'How much',
      unique: true,
      options,
    })
    const { version: _, ...field } = made
    expect(await convert('Cost', { type: 'number', name: 'Price' })).toEqual({
      ...field,
      name: 'Price',
      version: 2,
    })
    expect(await convert('Price', { type: 'date' })).toMatchObject({
      id: made.id,
      name: 'Price',
      dbFieldName: 'BI_cost',
      description: 'How much',
      unique: true,
      options: { formatting: { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } },
      version: 3,
    })
    const checkbox = await convert('Price', { type: 'checkbox', description: null })
    expect(checkbox).toEqual({
      id: made.id,
      name: 'Price',
      type: 'checkbox',
      dbFieldName: 'BI_cost',
      options: {},
      cellValueType: 'boolean',
      dbFieldType: 'BOOLEAN',
      version: 4,
    })
    expect(await convert('Price', { type: 'number' })).not.toHaveProperty('unique')
    expect((await world.api.fields.listFields({ tableId: things.id })).map(({ id }) => id)).toEqual(
      [things.primaryId, expect.any(String), made.id],
    )
  })

  test('[FIELD-130] keeps an aiConfig as long as it fits', async () => {
    const aiConfig = { type: 'extraction', modelKey: 'm', sourceFieldId: things.primaryId }
    await world.addField(things, { type: 'singleLineText', name: 'Hint', aiConfig })
    expect(await convert('Hint', { type: 'longText' })).toMatchObject({ aiConfig })
    expect(await convert('Hint', { type: 'number' })).not.toHaveProperty('aiConfig')
    await convert('Hint', { type: 'longText', aiConfig })
    expect(await convert('Hint', { type: 'longText', aiConfig: null })).not.toHaveProperty(
      'aiConfig',
    )
  })

  test('[FIELD-12] [FIELD-15] refuses fields that are not of the table, and keeps those that were deleted', async () => {
    const { id } = await world.addField(things, { type: 'number', name: 'Source' })
    const { id: foreign } = await world.addField(await world.makeNames('Others'), {
      type: 'number',
    })
    const reading = (sourceFieldId: string) => ({
      aiConfig: { type: 'extraction', modelKey: 'm', sourceFieldId },
    })
    const following = (...trackedFieldIds: string[]) => ({ options: { trackedFieldIds } })
    const hint = { type: 'longText', name: 'Hint', ...reading(id) }
    const when = { type: 'lastModifiedBy', name: 'When', ...following(id) }
    const { id: hintId } = await world.addField(things, hint)
    const { id: whenId } = await world.addField(things, when)
    const refusals = async () => {
      for (const source of [foreign, hintId, 'Name']) {
        const read = { ...hint, ...reading(source) }
        await refuses('Hint', read, invalidAt('aiConfig', 'sourceFieldId'))
      }
      for (const tracked of [foreign, whenId]) {
        const followed = { ...when, ...following(tracked) }
        await refuses('When', followed, invalidAt('options', 'trackedFieldIds'))
      }
    }
    await refusals()
    await world.api.fields.deleteField({ tableId: things.id, fieldId: id })
    await refusals()
    expect(await convert('Hint', { ...hint, type: 'singleLineText' })).toMatchObject(reading(id))
    expect(await convert('Hint', { type: 'longText' })).toMatchObject(reading(id))
    expect(await convert('When', { ...when, description: 'Who' })).toMatchObject(following(id))
    const other = { type: 'longText', name: 'Other' }
    await world.addField(things, other)
    await refuses('Other', { ...other, ...reading(id) }, invalidAt('aiConfig', 'sourceFieldId'))
  })

  test('[FIELD-20] changes name, column name and description too', async () => {
    const changes = { name: 'Cost', dbFieldName: 'cost', description: 'How much' }
    expect(await convert('Count', { type: 'longText', ...changes })).toMatchObject({
      type: 'longText',
      ...changes,
    })
    await world.change(things, things.recordIds[0], { Cost: 'much' })
    expect(await world.cellsOf(things, 'Cost')).toEqual(['much', '2.00'])
    const { records } = await world.api.records.listRecords({
      tableId: things.id,
      fieldKeyType: 'dbFieldName',
    })
    expect(records.map(({ fields }) => fields.cost)).toEqual(['much', '2.00'])
  })

  test('[FIELD-130] keeps the physical column’s name, whatever becomes of it', async () => {
    const { id } = await world.addField(things, { type: 'number', name: 'Cost' })
    const before = await columnNameOf(id)
    await world.change(things, things.recordIds[0], { Cost: 2.5 })
    const types = ['longText', 'multipleSelect', 'checkbox', 'user', 'date', 'rating', 'number']
    for (const type of types) {
      expect(await convert('Cost', { type })).toMatchObject({ dbFieldName: 'Cost' })
      expect(await columnNameOf(id)).toBe(before)
      expect(await world.cellsOf(things, 'Cost')).toHaveLength(2)
    }
    await convert('Cost', { type: 'createdBy' })
    await convert('Cost', { type: 'number' })
    await world.change(things, things.recordIds[0], { Cost: 1.5 })
    expect(await world.cellsOf(things, 'Cost')).toEqual([1.5, null])
    const made = await world.addField(things, { type: 'autoNumber', name: 'Nr' })
    const others = await world.addField(things, { type: 'number', name: 'NR' })
    expect([made.dbFieldName, others.dbFieldName]).toEqual(['Nr', 'NR'])
    expect(await convert('Nr', { type: 'number' })).toMatchObject({ dbFieldName: 'Nr' })
    await world.change(things, things.recordIds[0], { NR: 9 })
    expect(await world.recordOf(things, things.recordIds[0])).toMatchObject({ Nr: 1, NR: 9 })
  })

  test('[FIELD-142] compares the version of the field with the one that is asked for', async () => {
    const fieldId = (await world.fieldOf(things, 'Count')).id
    const change = { tableId: things.id, fieldId, type: 'longText' as const }
    const refusal = { code: 'precondition_failed' }
    const { convertField } = world.api.fields
    await world.expectNoTrace(() => convertField(change, { ifMatch: [2] }), refusal)
    expect(await convertField(change, { ifMatch: [1] })).toMatchObject({ version: 2 })
  })

  test('[FIELD-142] counts and tells no change where nothing is new', async () => {
    const { userId } = world.ada
    const choices = [{ name: 'a' }, { name: 'b' }]
    const select = { type: 'singleSelect', options: { choices } }
    const { id: fieldId } = await world.addField(things, { ...select, name: 'Kind' })
    await world.addField(things, {
      type: 'link',
      name: 'Owner',
      options: { relationship: 'manyOne', foreignTableId: things.id },
    })
    const listed = await world.api.fields.listFields({ tableId: things.id })
    const before = await world.api.bases.verifyBase({ baseId: world.baseId })
    const silence = await world.heard(async () => {
      await convert('Kind', select)
      await convert('Kind', { type: 'singleSelect' })
      for (const field of listed) await convert(field.name, field)
    })
    expect(silence).toEqual([])
    expect(await world.api.bases.verifyBase({ baseId: world.baseId })).toEqual(before)
    expect(await world.api.fields.getField({ tableId: things.id, fieldId })).toMatchObject({
      version: 1,
    })
    const heard = await world.heard(() => convert('Kind', { type: 'longText' }))
    expect(heard.filter((event) => 'fieldId' in event)).toEqual([
      { name: 'field.updated', userId, tableId: things.id, fieldId },
    ])
  })
})

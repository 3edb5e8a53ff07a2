import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Relationship } from '../fields/link-end.ts'

const hidden = { code: 'not_found' }

describeOnEveryStorage('link fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow')
  })

  afterEach(() => world.clear())

  const linkTo = (foreignTableId: string, options: object = {}) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId, ...options },
  })
  const addLink = (from: TestTable, to: TestTable, options: object = {}) =>
    world.addField(from, linkTo(to.id, options))
  const refuses = (definition: object, refusal: object) =>
    world.expectNoTrace(() => world.addField(people, definition), refusal)
  const names = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).map(({ name }) => name)

  test('[LINK-1] refuses tables that are not there, or gone', async () => {
    const { api, baseId } = world
    await api.tables.deleteTable({ baseId, tableId: things.id })
    for (const tableId of ['tbl0', things.id, world.baseId, '__proto__']) {
      await refuses(linkTo(tableId), invalidAt('options', 'foreignTableId'))
      const fields = [{ type: 'number' }, linkTo(tableId)] as never
      await world.expectNoTrace(
        () => api.tables.createTable({ baseId, fields }),
        invalidAt('fields', 1, 'options', 'foreignTableId'),
      )
    }
  })

  test('[FIELD-2] numbers the name of a table that no field may have', async () => {
    const odd = await world.makeNames('__proto__', 'x')
    await addLink(odd, things)
    expect(await names(things)).toContain('__proto__ 2')
  })

  test('[LINK-6] refuses titles from a field that the linked table does not have', async () => {
    const gone = await world.addField(things, { type: 'number' })
    await world.api.fields.deleteField({ tableId: things.id, fieldId: gone.id })
    const refusal = invalidAt('options', 'lookupFieldId')
    const message = 'options.lookupFieldId: must be the id of a field of the linked table'
    for (const lookupFieldId of ['fld0', gone.id, people.primaryId]) {
      await refuses(linkTo(things.id, { lookupFieldId }), { ...refusal, message })
    }
    expect(await names(things)).toEqual(['Name', 'Count'])
  })

  test('[LINK-22] refuses fields and views that the linked table does not have', async () => {
    const shown = { visibleFieldIds: [things.primaryId, people.primaryId] }
    await refuses(linkTo(things.id, shown), {
      ...invalidAt('options', 'visibleFieldIds'),
      message: 'options.visibleFieldIds: must be ids of fields of the linked table',
    })
    const [view] = await world.api.views.listViews({ tableId: people.id })
    const filtered = { filterByViewId: view?.id }
    await refuses(linkTo(things.id, filtered), invalidAt('options', 'filterByViewId'))
    const { options } = await world.addField(
      things,
      linkTo(people.id, { ...filtered, visibleFieldIds: [people.primaryId] }),
    )
    expect(options).toMatchObject({ ...filtered, visibleFieldIds: [people.primaryId] })
  })

  test('[LINK-21] refuses what a link can’t be', async () => {
    const { id } = things
    await refuses(linkTo(id, { relationship: 'oneTwo' }), invalidAt('options', 'relationship'))
    await refuses(linkTo(id, { isOneWay: 1 }), invalidAt('options', 'isOneWay'))
    await refuses(linkTo(id, { filter: 'all' }), invalidAt('options', 'filter'))
    await refuses(linkTo(id, { color: 'red' }), invalidAt('options'))
    await refuses({ ...linkTo(id), unique: true }, invalidAt('unique'))
    await refuses({ ...linkTo(id), notNull: true }, invalidAt('notNull'))
    const fields = [linkTo(id)] as never
    await world.expectNoTrace(
      () => world.api.tables.createTable({ baseId: world.baseId, fields }),
      invalidAt('fields', 0, 'type'),
    )
    expect(await names(things)).toEqual(['Name', 'Count'])
  })

  test.each<[Relationship, Relationship, boolean, boolean]>([
    ['oneOne', 'oneOne', false, false],
    ['oneMany', 'manyOne', true, false],
    ['manyOne', 'oneMany', false, true],
    ['manyMany', 'manyMany', true, true],
  ])(
    '[LINK-2] [LINK-3] [LINK-4] makes a link %s, which is %s from there',
    async (relationship, reversed, isMultiple, isMultipleThere) => {
      const link = await addLink(people, things, { relationship })
      const { symmetricFieldId, ...options } = link.options
      const multiple = (is: boolean) => (is ? { isMultipleCellValue: true } : {})
      const place = `${world.baseId}.__link_${link.id}`
      expect(link).toEqual({
        id: expect.stringMatching(/^fld/),
        name: 'Things',
        type: 'link',
        options: link.options,
        cellValueType: 'string',
        dbFieldType: 'JSON',
        dbFieldName: 'Things',
        version: 1,
        ...multiple(isMultiple),
      })
      expect(options).toEqual({
        relationship,
        foreignTableId: things.id,
        isOneWay: false,
        lookupFieldId: things.primaryId,
        fkHostTableName: place,
        selfKeyName: '__maker_id',
        foreignKeyName: '__other_id',
      })
      const { version: _, ...listed } = link
      expect(await world.fieldOf(people, 'Things')).toEqual(listed)
      expect(await names(things)).toEqual(['Name', 'Count', 'People'])
      expect(await world.fieldOf(things, 'People')).toEqual({
        id: symmetricFieldId,
        name: 'People',
        type: 'link',
        options: {
          relationship: reversed,
          foreignTableId: people.id,
          isOneWay: false,
          lookupFieldId: people.primaryId,
          fkHostTableName: place,
          selfKeyName: '__other_id',
          foreignKeyName: '__maker_id',
          symmetricFieldId: link.id,
        },
        cellValueType: 'string',
        dbFieldType: 'JSON',
        dbFieldName: 'People',
        ...multiple(isMultipleThere),
      })
    },
  )

  test('[LINK-3] shows a one-way link in its own table alone', async () => {
    const link = await addLink(people, things, { isOneWay: true, symmetricFieldId: 'fld0' })
    expect(link.options).not.toHaveProperty('symmetricFieldId')
    expect(link.options).toMatchObject({ isOneWay: true })
    expect(await names(things)).toEqual(['Name', 'Count'])
  })

  test('[LINK-3] [LINK-5] numbers names that are taken, at both ends', async () => {
    await world.addField(things, { type: 'number', name: 'People 2', dbFieldName: 'PEOPLE' })
    for (let round = 0; round < 3; round++) await addLink(people, things)
    expect(await names(people)).toEqual(['Name', 'Count', 'Things', 'Things 2', 'Things 3'])
    expect(await names(things)).toEqual([
      'Name',
      'Count',
      'People 2',
      'People',
      'People 3',
      'People 4',
    ])
    const named = await world.addField(people, { ...linkTo(things.id), name: 'Owns' })
    expect(named).toMatchObject({ name: 'Owns', dbFieldName: 'Owns' })
  })

  test('[LINK-3] links a table to itself by two fields, or by one', async () => {
    const link = await addLink(people, people, { relationship: 'oneMany' })
    expect(link.name).toBe('People')
    const symmetric = await world.fieldOf(people, 'People 2')
    expect(symmetric.options).toMatchObject({
      relationship: 'manyOne',
      foreignTableId: people.id,
      symmetricFieldId: link.id,
      fkHostTableName: link.options.fkHostTableName,
      selfKeyName: '__other_id',
    })
    expect(link.options).toMatchObject({ symmetricFieldId: symmetric.id })
    await world.addField(people, { ...linkTo(people.id, { isOneWay: true }), name: 'Knows' })
    expect(await names(people)).toEqual(['Name', 'Count', 'People', 'People 2', 'Knows'])
  })

  test('[LINK-4] says itself where the pairs are', async () => {
    const lies = {
      fkHostTableName: 'bse0.__link_fld0',
      selfKeyName: '__other_id',
      foreignKeyName: 'x',
      symmetricFieldId: people.primaryId,
      baseId: world.baseId,
    }
    const link = await addLink(people, things, lies)
    const symmetric = await world.fieldOf(things, 'People')
    expect(link.options).toEqual({
      relationship: 'manyMany',
      foreignTableId: things.id,
      isOneWay: false,
      lookupFieldId: things.primaryId,
      fkHostTableName: `${world.baseId}.__link_${link.id}`,
      selfKeyName: '__maker_id',
      foreignKeyName: '__other_id',
      symmetricFieldId: symmetric.id,
    })
  })

  test('[LINK-6] takes titles from the field that is named', async () => {
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const link = await addLink(people, things, { lookupFieldId, filterByViewId: null })
    expect(link.options).toMatchObject({ lookupFieldId, filterByViewId: null })
    const [ann] = people.recordIds
    expect(await world.change(people, ann, { Things: [things.recordIds[1]] })).toMatchObject({
      Things: [{ id: things.recordIds[1], title: '2.00' }],
    })
  })

  test('[LINK-3] is made with its table, before the records that it begins with', async () => {
    const [axe, bow] = things.recordIds
    const notes = await world.makeTable(
      'Notes',
      [
        { type: 'singleLineText', name: 'Text' },
        { ...linkTo(things.id), name: 'About' },
      ],
      [{ Text: 'one', About: [bow, axe] }, { Text: 'two' }],
    )
    expect(await world.cellsOf(notes, 'About')).toEqual([
      [
        { id: bow, title: 'bow' },
        { id: axe, title: 'axe' },
      ],
      null,
    ])
    const one = [{ id: notes.recordIds[0], title: 'one' }]
    expect(await world.cellsOf(things, 'Notes')).toEqual([one, one])
  })

  test('[LINK-3] tells of both fields', async () => {
    const { userId } = world.ada
    const events = await world.heard(() => addLink(people, things))
    const [{ id: fieldId }, { id: symmetricId }] = [
      await world.fieldOf(people, 'Things'),
      await world.fieldOf(things, 'People'),
    ]
    expect(events).toEqual([
      { name: 'field.created', userId, tableId: things.id, fieldId: symmetricId },
      { name: 'field.created', userId, tableId: people.id, fieldId },
    ])
  })

  test('[LINK-17] is deleted together with the field at its other end', async () => {
    const { api } = world
    const { userId } = world.ada
    const link = await addLink(people, things)
    const symmetric = await world.fieldOf(things, 'People')
    const self = await addLink(people, people)
    const [ann] = people.recordIds
    await world.change(people, ann, { Things: things.recordIds, People: [ann] })
    const before = await world.recordOf(things, things.recordIds[0])
    const events = await world.heard(() =>
      api.fields.deleteField({ tableId: things.id, fieldId: symmetric.id }),
    )
    expect(events.filter((event) => 'fieldId' in event)).toEqual([
      { name: 'field.deleted', userId, tableId: things.id, fieldId: symmetric.id },
      { name: 'field.deleted', userId, tableId: people.id, fieldId: link.id },
    ])
    const { People: _, ...rest } = before
    expect(await world.recordOf(things, things.recordIds[0])).toEqual(rest)
    expect(await names(people)).toEqual(['Name', 'Count', 'People', 'People 2'])
    await api.fields.deleteFields({ tableId: people.id, fieldIds: [self.id, self.id] })
    expect(await names(people)).toEqual(['Name', 'Count'])
    expect(await world.recordOf(people, ann)).toEqual({ Name: 'ann', Count: 1 })
    await world.expectNoTrace(
      () => api.fields.deleteField({ tableId: people.id, fieldId: link.id }),
      hidden,
    )
  })

  test('[LINK-17] leaves nothing behind in the table that a one-way link led to', async () => {
    const link = await addLink(people, things, { isOneWay: true })
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
    const before = await world.api.records.listRecords({ tableId: things.id })
    await world.api.fields.deleteField({ tableId: people.id, fieldId: link.id })
    expect(await names(people)).toEqual(['Name', 'Count'])
    await world.remove(things, things.recordIds[1])
    await world.change(things, things.recordIds[0], { Name: 'axe' })
    expect(await world.cellsOf(things, 'Name')).toEqual([before.records[0]?.fields.Name])
  })

  test('[LINK-18] has an error once its table is deleted', async () => {
    const { api, baseId } = world
    const link = await addLink(people, things)
    const other = await world.addField(people, { ...linkTo(people.id), name: 'Knows' })
    const [ann, bob] = people.recordIds
    await world.change(people, ann, { Things: things.recordIds, Knows: [bob] })
    const events = await world.heard(() => api.tables.deleteTable({ baseId, tableId: things.id }))
    expect(events).toContainEqual({
      name: 'field.updated',
      userId: world.ada.userId,
      tableId: people.id,
      fieldId: link.id,
    })
    expect(await world.fieldOf(people, 'Things')).toMatchObject({ id: link.id, hasError: true })
    expect(await world.fieldOf(people, 'Knows')).not.toHaveProperty('hasError')
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
    for (const nothing of [null, [], undefined]) {
      expect(await world.change(people, ann, { Things: nothing, Count: 7 })).toEqual({
        Name: 'ann',
        Count: 7,
        Knows: [{ id: bob, title: 'bob' }],
      })
    }
    expect(await world.add(people, { Name: 'cid', Things: null })).toHaveLength(1)
    expect(other.options).toMatchObject({ foreignTableId: people.id })
    await api.fields.deleteField({ tableId: people.id, fieldId: link.id })
    expect(await names(people)).not.toContain('Things')
  })

  test.each(['deleteTable', 'deleteTablePermanently'] as const)(
    '[LINK-18] takes no value after %s of its table, and says why',
    async (name) => {
      const { api, baseId } = world
      await addLink(people, things)
      await api.tables[name]({ baseId, tableId: things.id })
      const message =
        'must be empty or left out: the field has an error, because the table that it links to was deleted'
      const refused = (...path: (string | number)[]) => ({
        code: 'validation_error',
        data: { issues: [{ path: [...path, 'fields', 'Things'], message }] },
      })
      for (const value of [things.recordIds, [{ id: 'rec0' }], 'axe', 7, {}]) {
        for (const typecast of [false, true]) {
          const place = { tableId: people.id, typecast }
          const fields = { Name: 'new', Things: value }
          await world.expectNoTrace(
            () => api.records.createRecords({ ...place, records: [{ fields: {} }, { fields }] }),
            refused('records', 1),
          )
          const recordId = people.recordIds[0] ?? ''
          await world.expectNoTrace(
            () => api.records.updateRecord({ ...place, recordId, record: { fields } }),
            refused('record'),
          )
        }
      }
    },
  )

  test('[LINK-18] has an error once its table is deleted for good', async () => {
    const { api, baseId } = world
    await addLink(people, things)
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
    await api.tables.deleteTablePermanently({ baseId, tableId: things.id })
    expect(await world.fieldOf(people, 'Things')).toMatchObject({ hasError: true })
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
  })

  test('[LINK-18] is required no longer once its table is deleted', async () => {
    const notes = await world.makeTable('Notes', [{ type: 'singleLineText', name: 'Text' }], [])
    await world.addField(notes, { ...linkTo(things.id), name: 'About', notNull: true })
    const [made] = await world.add(notes, { Text: 'a', About: things.recordIds })
    const missing = invalidAt('records', 0, 'fields', 'About')
    await world.expectNoTrace(() => world.add(notes, { Text: 'b' }), missing)
    await world.expectNoTrace(() => world.remove(things, ...things.recordIds), {
      code: 'validation_error',
    })
    await world.remove(things, things.recordIds[0])
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    expect(await world.fieldOf(notes, 'About')).not.toHaveProperty('notNull')
    expect(await world.recordOf(notes, made)).toEqual({ Text: 'a' })
    expect(await world.add(notes, { Text: 'b' })).toHaveLength(1)
  })

  test('[LINK-20] leaves nothing behind with a table that is deleted for good', async () => {
    const { api, baseId } = world
    const id = 'fldLinkThatComesTwo'
    for (const relationship of ['manyMany', 'oneOne']) {
      const { id: tableId } = await world.makeTable('Notes', [{ type: 'number' }], [{}])
      const options = { relationship, foreignTableId: things.id }
      const link = await world.addField({ id: tableId }, { type: 'link', id, options })
      expect(await world.cellsOf({ id: tableId }, link.name)).toEqual([null])
      const [axe] = things.recordIds
      await world.add({ id: tableId }, { Things: relationship === 'oneOne' ? axe : [axe] })
      await api.tables.deleteTablePermanently({ baseId, tableId })
    }
  })

  test('[LINK-19] takes titles from the primary field once the other one shows none', async () => {
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    await addLink(people, things, { lookupFieldId })
    const { id } = await world.fieldOf(people, 'Things')
    await world.change(people, people.recordIds[0], { Things: [things.recordIds[0]] })
    await world.convert(things, 'Count', { type: 'button' })
    expect((await world.fieldOf(people, 'Things')).options).toMatchObject({
      lookupFieldId: things.primaryId,
    })
    expect(await world.cellsOf(people, 'Things')).toEqual([
      [{ id: things.recordIds[0], title: 'axe' }],
      null,
    ])
    const options = { relationship: 'manyMany', foreignTableId: things.id, lookupFieldId }
    await world.expectNoTrace(
      () =>
        world.api.fields.convertField({
          tableId: people.id,
          fieldId: id,
          type: 'link',
          options,
        } as never),
      invalidAt('options', 'lookupFieldId'),
    )
  })

  test('[LINK-19] takes titles from the primary field once the other one is deleted', async () => {
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    await addLink(people, things, { lookupFieldId })
    await world.change(people, people.recordIds[0], { Things: [things.recordIds[0]] })
    await world.api.fields.deleteField({ tableId: things.id, fieldId: lookupFieldId })
    const { options, ...field } = await world.fieldOf(people, 'Things')
    expect(options).toMatchObject({ lookupFieldId: things.primaryId })
    expect(field).not.toHaveProperty('hasError')
    expect(await world.cellsOf(people, 'Things')).toEqual([
      [{ id: things.recordIds[0], title: 'axe' }],
      null,
    ])
  })
})

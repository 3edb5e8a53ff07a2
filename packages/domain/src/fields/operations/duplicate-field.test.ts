import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Action } from '../../access/roles.ts'

const noon = '2024-03-05T12:00:00.000Z'
const percent = { formatting: { type: 'percent', precision: 1 }, defaultValue: 0.5 }
const choices = [
  { id: 'choA', name: 'a', color: 'red' },
  { id: 'choB', name: 'b', color: 'blue' },
]

describeOnEveryStorage('the duplication of fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow')
  })
  afterEach(() => world.clear())

  const duplicate = async (name: string, more: object = {}, table = people) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    return world.api.fields.duplicateField({ tableId: table.id, fieldId, ...more })
  }
  const addLink = (relationship: string, more: object = {}) =>
    world.addField(people, {
      type: 'link',
      name: 'Owns',
      options: { relationship, foreignTableId: things.id, ...more },
    })
  const storedOf = (columnName: string) =>
    world.engine.store.read(async (tx) => {
      const { rows } = await tx.canonical.records({ tableId: people.id, after: 0 }, 10)
      return rows.map(({ cells }) => (cells as Record<string, unknown>)[columnName])
    })
  const namesIn = async (viewId?: string) =>
    (await world.api.fields.listFields({ tableId: people.id, viewId })).map(({ name }) => name)

  test('[FIELD-231] [VIEW-22] asks who puts it into a view whether they may change views', async () => {
    const [view] = await world.api.views.listViews({ tableId: people.id })
    const viewId = view?.id ?? ''
    const count = await world.fieldOf(people, 'Count')
    const { id: userId } = await world.api.accounts.getMe({})
    const may = (...more: readonly Action[]) => {
      const scopes = new Set<Action>(['field|create', 'field|read', ...more])
      const { fields } = world.engine.as({ kind: 'token', userId, tokenId: 'accNone', scopes })
      const added = {
        tableId: people.id,
        type: 'checkbox',
        order: { viewId, orderIndex: 0 },
      } as const
      return [
        () => fields.createField(added),
        () => fields.planCreation(added),
        () => fields.duplicateField({ tableId: people.id, fieldId: count.id, viewId }),
      ]
    }
    for (const call of may()) await world.expectNoTrace(call, { code: 'restricted_resource' })
    for (const call of may('view|update')) await call()
  })

  test('[VIEW-91] puts the copy right after it, however little room is there', async () => {
    const { id: viewId } = await world.api.views.createView({ tableId: people.id, type: 'grid' })
    const set = (name: string, order: number) =>
      world.fieldOf(people, name).then(({ id: fieldId }) => ({ fieldId, columnMeta: { order } }))
    const place = async (orders: Readonly<Record<string, number>>) => {
      const columnMeta = await Promise.all(Object.entries(orders).map((one) => set(...one)))
      await world.api.views.setColumnMeta({ tableId: people.id, viewId, columnMeta })
    }
    await place({ Name: 1, Count: 1 + Number.EPSILON })
    expect((await duplicate('Name', { viewId })).name).toBe('Name 2')
    expect((await duplicate('Name', { viewId })).name).toBe('Name 3')
    expect(await namesIn(viewId)).toEqual(['Name', 'Name 3', 'Name 2', 'Count'])
    await place({ Name: 1e308, 'Name 3': 1.1e308, 'Name 2': 1.2e308, Count: 1.7e308 })
    await duplicate('Name 2', { viewId })
    await duplicate('Count', { viewId })
    const names = ['Name', 'Name 3', 'Name 2', 'Name 4', 'Count', 'Count 2']
    expect(await namesIn(viewId)).toEqual(names)
    const { columnMeta } = await world.api.views.getView({ tableId: people.id, viewId })
    for (const { order } of Object.values(columnMeta)) expect(order).toEqual(expect.any(Number))
  })

  test('[FIELD-144] refuses names that can’t be, fields that are not there, and views of others', async () => {
    const refuses = (more: object, refusal: object) =>
      world.expectNoTrace(() => duplicate('Count', more), refusal)
    await refuses({ name: '__proto__' }, invalidAt('name'))
    await refuses({ name: ' ' }, invalidAt('name'))
    const [view] = await world.api.views.listViews({ tableId: things.id })
    await refuses({ viewId: 'viw0' }, invalidAt('viewId'))
    await refuses({ viewId: view?.id }, invalidAt('viewId'))
    for (const fieldId of ['fld0', things.primaryId]) {
      const call = () => world.api.fields.duplicateField({ tableId: people.id, fieldId })
      await world.expectNoTrace(call, { code: 'not_found' })
    }
    const { id: fieldId, tableId } = { id: people.primaryId, tableId: people.id }
    const { api } = await world.newCollaborator('Eve', 'editor')
    const call = () => api.fields.duplicateField({ tableId, fieldId })
    await world.expectNoTrace(call, { code: 'restricted_resource' })
    const stale = () => world.api.fields.duplicateField({ tableId, fieldId }, { ifMatch: [2] })
    await world.expectNoTrace(stale, { code: 'precondition_failed' })
  })

  test('[FIELD-17] [FIELD-144] refuses one field too many', async () => {
    await withLimits({ fieldsPerTable: 3 }, async () => {
      await duplicate('Count')
      await world.expectNoTrace(() => duplicate('Count'), { code: 'validation_error' })
    })
  })

  test('[FIELD-144] numbers the name, or takes the one that is given', async () => {
    const names: string[] = []
    for (const more of [{}, {}, { name: 'Cost' }, { name: 'Cost' }]) {
      const { name, dbFieldName } = await duplicate('Count', more)
      expect(dbFieldName).toBe(name.replace(' ', '_'))
      names.push(name)
    }
    expect(names).toEqual(['Count 2', 'Count 3', 'Cost', 'Cost 2'])
    expect(await namesIn()).toEqual(['Name', 'Count', ...names])
  })

  test.each<[object, unknown]>([
    [{ type: 'singleLineText', options: { showAs: { type: 'url' } } }, 'https://example.com'],
    [{ type: 'longText', options: { defaultValue: 'x' } }, 'a\nb'],
    [{ type: 'number', options: percent, description: 'How much' }, 0.256],
    [{ type: 'rating', options: { icon: 'moon', color: 'redBright', max: 3 } }, 2],
    [{ type: 'checkbox' }, true],
    [{ type: 'singleSelect', options: { choices, defaultValue: 'b' } }, 'a'],
    [{ type: 'multipleSelect', options: { choices } }, ['b', 'a']],
    [{ type: 'date' }, noon],
    [{ type: 'user', options: { isMultiple: true } }, 'me'],
    [{ type: 'button', options: { label: 'Press', color: 'red' } }, undefined],
    [{ type: 'attachment' }, undefined],
    [{ type: 'autoNumber' }, undefined],
    [{ type: 'createdTime' }, undefined],
    [{ type: 'lastModifiedBy' }, undefined],
  ])('[FIELD-144] copies %j with its values', async (definition, value) => {
    const made = await world.addField(people, { ...definition, name: 'Original' })
    const cell = value === 'me' ? [world.ada.userId] : value
    if (cell !== undefined) await world.change(people, people.recordIds[0], { Original: cell })
    const copy = await duplicate('Original')
    const { id: _, version: __, ...rest } = made
    const own = { id: copy.id, name: 'Original 2', dbFieldName: 'Original_2', version: 1 }
    expect(copy).toEqual({ ...rest, ...own })
    expect(copy.id).not.toBe(made.id)
    const cells = await world.cellsOf(people, 'Original')
    expect(await world.cellsOf(people, 'Original 2')).toEqual(cells)
    await world.api.fields.deleteField({ tableId: people.id, fieldId: made.id })
    expect(await world.cellsOf(people, 'Original 2')).toEqual(cells)
  })

  test('[FIELD-144] copies the primary field as one that is not', async () => {
    const copy = await duplicate('Name')
    expect(copy).not.toHaveProperty('isPrimary')
    expect(await world.cellsOf(people, 'Name 2')).toEqual(['ann', 'bob'])
    await world.change(people, people.recordIds[0], { Name: 'eve' })
    expect(await world.cellsOf(people, 'Name 2')).toEqual(['ann', 'bob'])
  })

  test('[FIELD-144] requires values where the original does, but takes repeated ones', async () => {
    await world.convert(people, 'Count', { type: 'number', unique: true, notNull: true })
    const copy = await duplicate('Count')
    expect(copy).toMatchObject({ notNull: true })
    expect(copy).not.toHaveProperty('unique')
    const refusal = { code: 'validation_error' }
    await world.expectNoTrace(() => world.add(people, { Count: 3 }), refusal)
    await world.add(people, { Count: 3, 'Count 2': 1 })
  })

  test('[FIELD-144] keeps a required copy from losing its last link', async () => {
    await addLink('manyMany', { isOneWay: true })
    const [axe, bow] = things.recordIds
    const ownOnly = async (recordId: string | undefined) => {
      for (const id of people.recordIds) await world.change(people, id, { Owns: [recordId] })
    }
    await ownOnly(axe)
    await world.convert(people, 'Owns', { type: 'link', notNull: true })
    expect(await duplicate('Owns')).toMatchObject({ notNull: true })
    await ownOnly(bow)
    await world.expectNoTrace(() => world.remove(things, axe), { code: 'validation_error' })
  })

  test('[FIELD-144] copies the values of deleted records too', async () => {
    await world.remove(people, people.recordIds[1])
    const { dbFieldName } = await duplicate('Count')
    expect(await storedOf(dbFieldName)).toEqual([1, 2])
    const recordId = people.recordIds[0] ?? ''
    expect(await world.api.records.getRecord({ tableId: people.id, recordId })).toMatchObject({
      version: 2,
    })
  })

  test('[FIELD-145] copies a link as one that is shown in this table alone', async () => {
    for (const relationship of ['oneOne', 'oneMany', 'manyOne', 'manyMany']) {
      const isMany = relationship.endsWith('Many')
      const link = await addLink(relationship)
      const [axe, bow] = things.recordIds
      await world.change(people, people.recordIds[0], { Owns: isMany ? [bow, axe] : bow })
      for (const [table, name] of [
        [people, 'Owns'],
        [things, 'People'],
      ] as const) {
        const before = await world.cellsOf(table, name)
        const copy = await duplicate(name, {}, table)
        expect(copy.name).toBe(`${name} 2`)
        expect(copy.options).toMatchObject({ isOneWay: true })
        expect(copy.options).not.toHaveProperty('symmetricFieldId')
        const { fkHostTableName } = link.options
        expect(copy.options).not.toMatchObject({ fkHostTableName })
        expect(await world.cellsOf(table, `${name} 2`)).toEqual(before)
        await world.change(table, table.recordIds[0], { [`${name} 2`]: null })
        expect(await world.cellsOf(table, name)).toEqual(before)
        await world.api.fields.deleteField({ tableId: table.id, fieldId: copy.id })
      }
      await world.api.fields.deleteField({ tableId: people.id, fieldId: link.id })
    }
  })

  test('[FIELD-145] lets go of a record in the copy of a link too', async () => {
    await addLink('manyMany')
    await world.change(people, people.recordIds[0], { Owns: things.recordIds })
    await duplicate('Owns')
    await world.change(things, things.recordIds[1], { Name: 'arrow' })
    expect(await world.textsOf(people, 'Owns 2')).toEqual(['axe, arrow', null])
    await world.remove(things, things.recordIds[0])
    expect(await world.textsOf(people, 'Owns 2')).toEqual(['arrow', null])
  })

  test('[FIELD-145] works out the copy of what is worked out', async () => {
    const link = await addLink('manyMany')
    await world.change(people, people.recordIds[0], { Owns: things.recordIds })
    const { id: countId } = await world.fieldOf(things, 'Count')
    const lookupOptions = {
      foreignTableId: things.id,
      linkFieldId: link.id,
      lookupFieldId: countId,
    }
    const sum = { expression: 'sum({values})' }
    await world.addField(people, { type: 'number', name: 'L', isLookup: true, lookupOptions })
    await world.addField(people, { type: 'rollup', name: 'R', options: sum, lookupOptions })
    const { id: rollupId } = await world.fieldOf(people, 'R')
    const options = { expression: `{${rollupId}} * 2` }
    await world.addField(people, { type: 'formula', name: 'F', options })
    for (const name of ['L', 'R', 'F']) {
      const copy = await duplicate(name)
      const { id: _, dbFieldName: __, ...original } = await world.fieldOf(people, name)
      expect(copy).toMatchObject({ ...original, name: `${name} 2`, isComputed: true })
      const cells = await world.cellsOf(people, name)
      expect(await world.cellsOf(people, `${name} 2`)).toEqual(cells)
    }
    await world.change(things, things.recordIds[0], { Count: 5 })
    expect(await world.recordOf(people, people.recordIds[0])).toMatchObject({
      'L 2': [5, 2],
      'R 2': 7,
      'F 2': 14,
    })
  })

  test('[FIELD-145] copies an error', async () => {
    const { id } = await world.fieldOf(people, 'Count')
    const formula = { type: 'formula', options: { expression: `{${id}} * 2` } }
    await world.addField(people, { ...formula, name: 'Twice' })
    await addLink('manyMany')
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    await world.api.fields.deleteField({ tableId: people.id, fieldId: id })
    for (const name of ['Twice', 'Owns']) {
      expect(await duplicate(name)).toMatchObject({ name: `${name} 2`, hasError: true })
      expect(await world.cellsOf(people, `${name} 2`)).toEqual([null, null])
    }
  })

  test('[FIELD-146] goes last, or right after the original in a view', async () => {
    const views = [{ type: 'grid' as const }, { type: 'grid' as const }]
    const fields = [
      { type: 'singleLineText' as const, name: 'Name' },
      { type: 'number' as const, name: 'Count' },
    ]
    const table = await world.api.tables.createTable({ baseId: world.baseId, fields, views })
    people = { id: table.id, recordIds: [], primaryId: '' }
    const [viewId = '', otherId = ''] = table.views.map(({ id }) => id)
    await duplicate('Name', { viewId, name: 'A' })
    await duplicate('Count', { name: 'B' })
    expect(await namesIn(viewId)).toEqual(['Name', 'A', 'Count', 'B'])
    await duplicate('Name', { viewId, name: 'C' })
    expect(await namesIn(viewId)).toEqual(['Name', 'C', 'A', 'Count', 'B'])
    for (const id of [undefined, otherId]) {
      expect(await namesIn(id)).toEqual(['Name', 'Count', 'A', 'B', 'C'])
    }
  })

  test('[FIELD-25] tells of the copy alone', async () => {
    await addLink('manyMany')
    const events = await world.heard(() => duplicate('Owns'))
    const { id: fieldId } = await world.fieldOf(people, 'Owns 2')
    const { userId } = world.ada
    expect(events.filter((event) => 'fieldId' in event)).toEqual([
      { name: 'field.created', userId, tableId: people.id, fieldId },
    ])
  })
})

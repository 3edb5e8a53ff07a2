import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Filter, FilterItem } from '../fields/filter.ts'
import { offeredCondition } from '../records/query/offered-condition.ts'

const and = (...filterSet: (FilterItem | Filter)[]): Filter => ({ conjunction: 'and', filterSet })

describeOnEveryStorage('links with a filter', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
    people = await world.makeNames('People', 'ann', 'bob')
    await world.addField(things, {
      type: 'singleSelect',
      name: 'Level',
      options: { choices: ['low', 'high'].map((name) => ({ id: `cho${name}`, name })) },
    })
    await world.addField(things, { type: 'user', name: 'Owner' })
    const [axe, bow] = things.recordIds
    await world.change(things, axe, { Level: 'low', Owner: world.ada.userId })
    await world.change(things, bow, { Level: 'high' })
  })
  afterEach(() => world.clear())

  const item = async (
    name: string,
    operator: FilterItem['operator'],
    value: unknown = null,
  ): Promise<FilterItem> => ({ fieldId: (await world.fieldOf(things, name)).id, operator, value })
  const optionsOf = (more: object) => ({
    relationship: 'manyMany',
    foreignTableId: things.id,
    ...more,
  })
  const addLink = (more: object) =>
    world.addField(people, { type: 'link', name: 'Things', options: optionsOf(more) })
  /** The names of the records that the link offers Ada. */
  const offered = () =>
    world.engine.store.read(async (tx) => {
      const [table, foreign] = await tx.tables
        .findAll([people.id, things.id], 'none')
        .then((found) => [people, things].map(({ id }) => found.find((one) => one.id === id)))
      if (!table || !foreign) throw new Error('both tables are there')
      const schema = await tx.fields.schemaOf(foreign)
      const link = (await tx.fields.schemaOf(table)).byKey.name.get('Things')
      if (!link) throw new Error('the link is there')
      const { userId } = world.ada
      const now = new Date(world.clock.now()).toISOString()
      const condition = await offeredCondition(tx, link, { schema, userId, now })
      const page = { skip: 0, take: 10 }
      const found = await tx.recordFinder.find(schema, { condition, keys: [] }, page)
      return found.map(({ id }) => ['axe', 'bow', 'cup'][things.recordIds.indexOf(id)])
    })

  test('[LINK-32] offer what the filter and the view let through, whatever is linked', async () => {
    const { api } = world
    const view = await api.views.createView({
      tableId: things.id,
      type: 'grid',
      filter: and(await item('Count', 'isGreater', 1)),
    })
    const filter = and(await item('Level', 'isNot', 'low'))
    const link = await addLink({ filter, filterByViewId: view.id })
    expect(link.options).toMatchObject({ filter, filterByViewId: view.id })
    expect(await offered()).toEqual(['bow', 'cup'])
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
    expect(await world.textsOf(people, 'Things')).toEqual(['axe, bow, cup', null])
    const options = optionsOf({ filter: and(await item('Level', 'is', 'low')) })
    await world.convert(people, 'Things', { type: 'link', options })
    expect(await offered()).toEqual(['axe'])
    expect(await world.textsOf(people, 'Things')).toEqual(['axe, bow, cup', null])
    const other = await world.fieldOf(things, 'People')
    expect(other.options).not.toHaveProperty('filter')
    await world.convert(people, 'Things', { type: 'link', options: optionsOf({ filter: null }) })
    expect((await world.fieldOf(people, 'Things')).options).not.toHaveProperty('filter')
    expect(await offered()).toEqual(['axe', 'bow', 'cup'])
  })

  test('[LINK-32] may ask who picks', async () => {
    await addLink({ filter: and(await item('Owner', 'is', 'Me')) })
    expect(await offered()).toEqual(['axe'])
  })

  test('[LINK-32] refuse what does not fit the linked table, with its place', async () => {
    const refused = async (filter: unknown, ...path: (string | number)[]) =>
      expect(addLink({ filter })).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['options', 'filter', ...path] }] },
      })
    const own = { fieldId: people.primaryId, operator: 'is', value: 'x' } as const
    await refused(and(own), 'filterSet', 0, 'fieldId')
    await refused(and(await item('Count', 'contains', 'x')), 'filterSet', 0, 'operator')
    await refused(and(await item('Count', 'is', 'x')), 'filterSet', 0, 'value')
    await refused({ filterSet: [] }, 'conjunction')
    await refused('all', ...[])
  })

  test('[LINK-33] keep what fits no longer, which asks nothing until it does', async () => {
    const many = await item('Count', 'isGreater', 1)
    const filter = and(many, await item('Name', 'isNot', 'bow'))
    const link = await addLink({ filter })
    expect(await offered()).toEqual(['cup'])
    await world.convert(things, 'Count', { type: 'singleLineText' })
    expect(await offered()).toEqual(['axe', 'cup'])
    const stored = await world.fieldOf(people, 'Things')
    expect(stored).not.toHaveProperty('hasError')
    expect(stored.options).toMatchObject({ filter })
    // What is stored may be sent back, and copied; what is new must fit.
    await world.convert(people, 'Things', { type: 'link', name: 'Things', options: stored.options })
    const input = { tableId: people.id, fieldId: link.id, name: 'Copy' }
    const copy = await world.api.fields.duplicateField(input)
    expect(copy.options).toMatchObject({ filter })
    const other = world.convert(people, 'Things', {
      type: 'link',
      options: optionsOf({ filter: and(many) }),
    })
    await expect(other).rejects.toThrow('options.filter.filterSet.0.operator')
    await world.convert(things, 'Count', { type: 'number' })
    expect(await offered()).toEqual(['cup'])
    const { id: fieldId } = await world.fieldOf(things, 'Count')
    await world.api.fields.deleteField({ tableId: things.id, fieldId })
    expect(await offered()).toEqual(['axe', 'cup'])
    expect((await world.fieldOf(people, 'Things')).options).toMatchObject({ filter })
  })

  test('[LINK-33] follow choices that get other names, those of lookups, too', async () => {
    const level = await world.fieldOf(things, 'Level')
    const parts = await world.addField(things, {
      type: 'link',
      name: 'Part of',
      options: { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true },
    })
    await world.addField(things, {
      type: 'singleSelect',
      name: 'Level of whole',
      isLookup: true,
      lookupOptions: {
        foreignTableId: things.id,
        linkFieldId: parts.id,
        lookupFieldId: level.id,
      },
    })
    await world.change(things, things.recordIds[2], { 'Part of': things.recordIds[0] })
    const asking = async (low: string) => ({
      conjunction: 'or' as const,
      filterSet: [await item('Level', 'is', low), await item('Level of whole', 'isAnyOf', [low])],
    })
    await addLink({ filter: await asking('low') })
    const view = await world.api.views.createView({
      tableId: things.id,
      type: 'grid',
      filter: await asking('low'),
    })
    expect(await offered()).toEqual(['axe', 'cup'])
    const { choices } = level.options as { choices: object[] }
    const told = await world.heard(() =>
      world.convert(things, 'Level', {
        type: 'singleSelect',
        options: { choices: [{ ...choices[0], name: 'little' }, choices[1]] },
      }),
    )
    const link = await world.fieldOf(people, 'Things')
    expect(told).toContainEqual(
      expect.objectContaining({ name: 'field.updated', fieldId: link.id, tableId: people.id }),
    )
    expect(await offered()).toEqual(['axe', 'cup'])
    expect(link.options).toMatchObject({ filter: await asking('little') })
    const shown = await world.api.views.getView({ tableId: things.id, viewId: view.id })
    expect(shown.filter).toEqual(await asking('little'))
  })
  test('[LINK-34] tell the records that they name, by their tables', async () => {
    const { api } = world
    const makers = await world.makeNames('Makers', 'smith', 'carver')
    const options = { relationship: 'manyMany', foreignTableId: makers.id, isOneWay: true }
    await world.addField(things, { type: 'link', name: 'Makers', options })
    const [smith = '', carver = ''] = makers.recordIds
    const filter = and(await item('Makers', 'hasAnyOf', [carver, smith, 'recGone']))
    const link = await addLink({ filter })
    const plain = await world.addField(people, { type: 'link', options: optionsOf({}) })
    const lookup = await world.addField(people, {
      ...{ type: 'singleLineText', isLookup: true },
      lookupOptions: {
        ...{ foreignTableId: things.id, linkFieldId: link.id, lookupFieldId: things.primaryId },
        filter: and(await item('Makers', 'hasAllOf', [smith])),
      },
    })
    const named = (fieldId: string) =>
      api.fields.listFieldFilterRecords({ tableId: people.id, fieldId })
    const records = [
      { id: carver, title: 'carver' },
      { id: smith, title: 'smith' },
    ]
    expect(await named(link.id)).toEqual([{ tableId: makers.id, records }])
    expect(await named(lookup.id)).toEqual([{ tableId: makers.id, records: [records[1]] }])
    for (const fieldId of [plain.id, people.primaryId]) expect(await named(fieldId)).toEqual([])
  })

  test('[LINK-34] tell nothing of a base that the caller may not read', async () => {
    const { api, ada } = world
    const { id: baseId } = await api.bases.createBase({ spaceId: ada.spaceId })
    const text = [{ type: 'singleLineText' as const, name: 'Name' }]
    const hidden = await world.makeTable('Hidden', text, [{ Name: 'secret' }], baseId)
    const foreignTableId = hidden.id
    const toItself = { relationship: 'manyMany', foreignTableId, isOneWay: true }
    const self = await world.addField(hidden, { type: 'link', options: toItself })
    const filter = and({ fieldId: self.id, operator: 'hasAnyOf', value: hidden.recordIds })
    const asked = { relationship: 'manyMany', foreignTableId, isOneWay: true, filter }
    const { id: fieldId } = await world.addField(people, { type: 'link', options: asked })
    const viewer = await world.newCollaborator('Vera', 'viewer')
    const place = { tableId: people.id, fieldId }
    expect(await viewer.api.fields.listFieldFilterRecords(place)).toEqual([])
    const [id] = hidden.recordIds
    expect(await api.fields.listFieldFilterRecords(place)).toEqual([
      { tableId: hidden.id, records: [{ id, title: 'secret' }] },
    ])
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of conversions of links', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let bob: Person
  let people: TestTable
  let things: TestTable

  beforeAll(async () => {
    api = world.api
    bob = await world.newCollaborator('Bob', 'creator')
  })
  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob', 'cid')
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
  })
  afterEach(() => world.clear())

  const undo = (table = people) => api.undo.undoChange({ tableId: table.id }, options)
  const redo = (table = people) => api.undo.redoChange({ tableId: table.id }, options)
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  const linkTo = (to: TestTable, relationship: string, more: object = {}) => ({
    type: 'link',
    options: { relationship, foreignTableId: to.id, ...more },
  })
  const convert = async (table: TestTable, name: string, definition: object, at = options) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    return api.fields.convertField({ tableId: table.id, fieldId, ...definition } as never, at)
  }
  /** A text field of the people that names things. */
  const addTexts = async (...texts: readonly (string | null)[]) => {
    await world.addField(people, { type: 'longText', name: 'Owns' })
    for (const [index, Owns] of texts.entries()) {
      await world.change(people, people.recordIds[index], { Owns })
    }
  }
  /** A link of the people, of the first two to the things. */
  const addLinks = async (relationship = 'manyMany', to = things) => {
    const field = await world.addField(people, { ...linkTo(to, relationship), name: 'Owns' })
    const [axe, bow] = to.recordIds
    const [ann, bob] = people.recordIds
    const isMany = relationship.endsWith('Many')
    const cell = (...ids: (string | undefined)[]) => (isMany ? ids : ids[0])
    await world.change(people, bob, { Owns: cell(bow) })
    if (relationship.startsWith('many')) await world.change(people, ann, { Owns: cell(bow, axe) })
    return field
  }
  const ownersOf = async (name = 'People') =>
    (await world.textsOf(things, name)).map((text) => text ?? '')
  const owned = async () => (await world.textsOf(people, 'Owns')).map((text) => text ?? '')

  const tableState = async ({ id: tableId }: TestTable) => {
    const { records } = await api.records.listRecords({ tableId, fieldKeyType: 'id' })
    const fields = await api.fields.listFields({ tableId })
    const views = await api.views.listViews({ tableId })
    return {
      fields,
      records: records.map(({ id, fields: cells, name }) => ({ id, cells, name })),
      views: views.map(({ columnMeta, filter, sort }) => ({ columnMeta, filter, sort })),
    }
  }
  const stateOf = async (...tables: readonly TestTable[]) => {
    const states = []
    for (const table of [people, things, ...tables]) states.push(await tableState(table))
    return states
  }

  /** Takes the steps, then takes all of them back and takes them again, back and forth. */
  const walk = async (steps: readonly (() => Promise<unknown>)[], ...others: TestTable[]) => {
    const states = [await stateOf(...others)]
    for (const step of steps) {
      await step()
      states.push(await stateOf(...others))
    }
    for (let round = 0; round < 2; round++) {
      for (const state of states.slice(0, -1).toReversed()) {
        expect(await undo()).toEqual(done)
        expect(await stateOf(...others)).toEqual(state)
      }
      for (const state of states.slice(1)) {
        expect(await redo()).toEqual(done)
        expect(await stateOf(...others)).toEqual(state)
      }
    }
  }

  test('[UNDO-24] gives links back, and takes them away, with the field at the other end', async () => {
    await addTexts('bow, axe', 'cup, bow', 'axe')
    await walk([
      () => convert(people, 'Owns', linkTo(things, 'manyMany')),
      () => convert(people, 'Owns', { type: 'longText' }),
      () => convert(people, 'Owns', linkTo(things, 'oneMany')),
      () => convert(people, 'Owns', linkTo(things, 'manyOne', { isOneWay: true })),
      () => convert(people, 'Owns', { type: 'number' }),
      () => convert(people, 'Owns', linkTo(people, 'manyMany')),
    ])
  })

  test('[UNDO-24] gives links back that were made at the other end', async () => {
    await world.addField(things, { ...linkTo(people, 'manyMany'), name: 'Owners' })
    await world.change(things, things.recordIds[1], { Owners: people.recordIds })
    await world.change(things, things.recordIds[0], { Owners: people.recordIds.toReversed() })
    await walk([
      () => convert(people, 'Things', { type: 'multipleSelect' }),
      () => convert(people, 'Things', { type: 'formula', options: { expression: '"f"' } }),
      () => convert(people, 'Things', linkTo(things, 'oneMany')),
    ])
    for (const _ of [1, 2, 3]) await undo()
    await walk([
      () => convert(people, 'Things', linkTo(things, 'oneOne')),
      () => convert(people, 'Things', linkTo(things, 'oneOne', { isOneWay: true })),
      () => convert(people, 'Things', linkTo(people, 'manyMany')),
    ])
  })

  test('[UNDO-24] gives both ends of a link of a table to itself back', async () => {
    await world.addField(people, { ...linkTo(people, 'manyMany'), name: 'Knows' })
    const [ann, bob, cid] = people.recordIds
    await world.change(people, ann, { Knows: [cid, bob] })
    await world.change(people, bob, { Knows: [ann, bob] })
    await walk([
      () => convert(people, 'Knows', linkTo(people, 'oneMany')),
      () => convert(people, 'People', { type: 'singleLineText' }),
      () => convert(people, 'People', linkTo(people, 'manyMany', { isOneWay: true })),
    ])
  })

  test('[UNDO-24] gives the field at the other end back with its id, its name and its settings in views', async () => {
    await addLinks()
    const { id: fieldId, ...end } = await world.fieldOf(things, 'People')
    const [view] = await api.views.listViews({ tableId: things.id })
    const at = { tableId: things.id, viewId: view?.id ?? '' }
    await api.fields.updateField({ ...at, fieldId, name: 'Owners', dbFieldName: 'owners' })
    await api.views.setColumnMeta({ ...at, columnMeta: [{ fieldId, columnMeta: { width: 321 } }] })
    const filterSet = [{ fieldId, operator: 'isNotEmpty' as const, value: null }]
    await api.views.setViewFilter({ ...at, filter: { conjunction: 'and', filterSet } })
    await convert(people, 'Owns', { type: 'longText' })
    const kept = await stateOf()
    expect(await undo()).toEqual(done)
    const back = await world.fieldOf(things, 'Owners')
    expect(back).toEqual({ ...end, id: fieldId, name: 'Owners', dbFieldName: 'owners' })
    const shown = await api.records.listRecords(at)
    expect(shown.records.map(({ id }) => id)).toEqual(things.recordIds.slice(0, 2))
    const [after] = await api.views.listViews({ tableId: things.id })
    expect(after?.columnMeta).toMatchObject({ [fieldId]: { width: 321 } })
    expect(await redo()).toEqual(done)
    expect(await stateOf()).toEqual(kept)
  })

  test('[UNDO-24] gives links into another base back, by the hand of one who may', async () => {
    const { id: baseId } = await api.bases.createBase({ spaceId: world.ada.spaceId })
    const far = await world.makeTable(
      'Far',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'axe' }, { Name: 'bow' }],
      baseId,
    )
    await addLinks('manyMany', far)
    await walk([() => convert(people, 'Owns', { type: 'longText' })], far)
    await undo()
    await addCreator(baseId)
    const eve = { tableId: people.id, ...options }
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    await bob.api.fields.convertField({ ...eve, fieldId, type: 'longText' } as never, options)
    await api.collaborators.changeBaseCollaborator({
      ...{ baseId, principalId: bob.userId, principalType: 'user' as const, role: 'viewer' },
    })
    const state = await stateOf(far)
    const answer = await bob.api.undo.undoChange({ tableId: people.id }, options)
    expect(answer).toEqual(failed(/may not/))
    expect(await stateOf(far)).toEqual(state)
    await world.clear(baseId)
  })

  const addCreator = (baseId: string) => {
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    return api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'creator' })
  }

  test('[UNDO-24] gives links of records in the trash back with these, in their order', async () => {
    await addLinks()
    const [ann, bob, cid] = people.recordIds
    const [axe, bow, cup] = things.recordIds
    await world.change(people, cid, { Owns: [cup, bow, axe] })
    const before = await stateOf()
    await world.remove(people, ann)
    await world.remove(things, bow)
    await convert(people, 'Owns', { type: 'longText' })
    await world.remove(things, axe)
    expect(await undo()).toEqual(done)
    expect(await owned()).toEqual(['', 'cup'])
    await restoreAll(people)
    expect(await owned()).toEqual(['', '', 'cup'])
    await restoreAll(things)
    expect(await stateOf()).toEqual(before)
    await world.remove(people, bob)
    await convert(people, 'Owns', linkTo(things, 'oneMany'))
    await purgeAll(people)
    expect(await undo()).toEqual(failed(/purged/))
    await convert(people, 'Owns', { type: 'longText' })
    await world.remove(things, cup)
    await purgeAll(things)
    expect(await undo()).toEqual(done)
    expect(await owned()).toEqual(['bow, axe', ''])
  })

  const ofTrash = async ({ id }: TestTable) =>
    (await api.trash.listTrashItems({ resourceId: id, resourceType: 'table' })).trashItems
  const restoreAll = async (table: TestTable) => {
    for (const { id: trashId } of await ofTrash(table)) await api.trash.restoreTrash({ trashId })
  }
  const purgeAll = async ({ id: resourceId }: TestTable) => {
    await api.trash.resetTrash({ resourceId, resourceType: 'table' })
    await world.finishJobs()
  }

  test('[UNDO-5] [UNDO-24] changes nothing where the link, a cell or a record was changed since', async () => {
    const expectFailed = async (change: () => Promise<unknown>) => {
      await world.clear()
      people = await world.makeNames('People', 'ann', 'bob', 'cid')
      things = await world.makeNames('Things', 'axe', 'bow', 'cup')
      await addTexts('bow, axe', 'bow')
      await convert(people, 'Owns', linkTo(things, 'manyMany'))
      await change()
      const state = await stateOf()
      expect(await undo()).toEqual(failed(/The field "Owns", or what its cells hold, was changed/))
      expect(await stateOf()).toEqual(state)
    }
    const cell = (table: TestTable, index: number, name: string, ids: (string | undefined)[]) =>
      world.change(table, table.recordIds[index], { [name]: ids })
    await expectFailed(() => cell(people, 0, 'Owns', []))
    await expectFailed(() => cell(people, 0, 'Owns', things.recordIds.slice(0, 2)))
    await expectFailed(() => cell(people, 2, 'Owns', things.recordIds.slice(2)))
    await expectFailed(() => cell(things, 1, 'People', people.recordIds.slice(0, 1)))
    await expectFailed(() => cell(things, 1, 'People', people.recordIds.slice(0, 2).toReversed()))
    await expectFailed(() => world.remove(people, people.recordIds[0]))
    await expectFailed(() => world.remove(things, things.recordIds[1]))
    await expectFailed(async () => {
      const { id: fieldId } = await world.fieldOf(things, 'People')
      await api.fields.updateField({ tableId: things.id, fieldId, name: 'Owners' })
    })
    await expectFailed(() =>
      convert(people, 'Owns', linkTo(things, 'manyMany', { isOneWay: true }), { windowId: 'two' }),
    )
  })

  test('[UNDO-5] [UNDO-24] changes nothing where a text was changed, a name is taken, or a table is gone', async () => {
    await addLinks()
    const end = async (by: () => Promise<unknown>, message: RegExp) => {
      await convert(people, 'Owns', { type: 'longText' })
      await by()
      const state = await stateOf()
      expect(await undo()).toEqual(failed(message))
      expect(await stateOf()).toEqual(state)
    }
    const taken = () => world.addField(things, { type: 'number', name: 'People' })
    await end(() => world.change(people, people.recordIds[2], { Owns: 'x' }), /was changed since/)
    await convert(people, 'Owns', linkTo(things, 'manyMany'))
    await end(taken, /The name of the field at the other end of the link, "People", is taken/)
    await convert(people, 'Owns', linkTo(things, 'manyMany'))
    await convert(people, 'Owns', { type: 'longText' })
    await api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    expect(await undo()).toEqual(failed(/must be a table that you may read/))
    things = people
  })

  test('[UNDO-24] refuses links that records took meanwhile which take one at most', async () => {
    await addLinks('oneMany')
    const [ann, bob] = people.recordIds
    await world.remove(people, bob)
    await world.change(people, ann, { Owns: [things.recordIds[1]] })
    await convert(people, 'Owns', { type: 'number' })
    await restoreAll(people)
    const state = await stateOf()
    expect(await undo()).toEqual(failed(/takes one link at most has another/))
    expect(await stateOf()).toEqual(state)
  })

  test('[UNDO-25] gives links the titles back, and lookups, rollups and formulas what they were', async () => {
    await addLinks()
    const { id: linkFieldId } = await world.fieldOf(things, 'People')
    const { id: countId } = await world.fieldOf(people, 'Count')
    const { id: ownsId } = await world.fieldOf(people, 'Owns')
    const read = { foreignTableId: people.id, linkFieldId }
    const others = await world.makeNames('Others', 'o')
    const text = await world.addField(people, { type: 'singleLineText', name: 'Nick' })
    await world.change(people, people.recordIds[0], { Nick: 'annie' })
    await world.addField(others, {
      ...linkTo(people, 'manyMany', { lookupFieldId: text.id, visibleFieldIds: [text.id, ownsId] }),
      name: 'Friends',
    })
    await world.change(others, others.recordIds[0], { Friends: people.recordIds })
    const formatting = { type: 'percent', precision: 3 }
    await world.addField(things, {
      ...{ type: 'number', name: 'Shown', isLookup: true, options: { formatting } },
      lookupOptions: { ...read, lookupFieldId: countId },
    })
    await world.addField(things, {
      ...{ type: 'rollup', name: 'All', options: { expression: 'array_join({values})' } },
      lookupOptions: { ...read, lookupFieldId: ownsId },
    })
    await world.addField(people, {
      ...{ type: 'formula', name: 'Owner', options: { expression: `{${ownsId}} & "!"` } },
    })
    await walk(
      [
        () => convert(people, 'Nick', { type: 'button', options: { label: 'b', color: 'red' } }),
        () => convert(people, 'Count', { type: 'longText' }),
        () => convert(people, 'Owns', { type: 'longText' }),
        () => api.fields.deleteField({ tableId: people.id, fieldId: text.id }, options),
        () => convert(people, 'Count', linkTo(others, 'manyMany')),
        () => api.fields.deleteField({ tableId: people.id, fieldId: countId }, options),
      ],
      others,
    )
  })

  test('[UNDO-25] leaves titles that somebody chose since as they are', async () => {
    const text = await world.addField(people, { type: 'singleLineText', name: 'Nick' })
    const link = linkTo(people, 'manyMany', { lookupFieldId: text.id })
    await world.addField(things, { ...link, name: 'Owners' })
    const titles = async () => {
      const { options: held } = await world.fieldOf(things, 'Owners')
      return (held as { lookupFieldId?: string }).lookupFieldId
    }
    await api.fields.deleteField({ tableId: people.id, fieldId: text.id }, options)
    expect(await titles()).toBe(people.primaryId)
    const { id: lookupFieldId } = await world.fieldOf(people, 'Count')
    await convert(things, 'Owners', linkTo(people, 'manyMany', { lookupFieldId }))
    expect(await undo()).toEqual(done)
    expect(await titles()).toBe(lookupFieldId)
  })

  test('[UNDO-23] [UNDO-25] gives fields back that had an error', async () => {
    await addLinks()
    const { id: ownsId } = await world.fieldOf(people, 'Owns')
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    const read = { foreignTableId: things.id, linkFieldId: ownsId, lookupFieldId }
    await world.addField(people, {
      ...{ type: 'number', name: 'Counts', isLookup: true, lookupOptions: read },
    })
    await world.addField(people, {
      ...{ type: 'formula', name: 'Twice', options: { expression: `{${ownsId}} & {${ownsId}}` } },
    })
    await api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    const gone = things
    things = people
    await walk([
      () => convert(people, 'Counts', { type: 'longText' }),
      () => convert(people, 'Owns', { type: 'longText' }),
      () => convert(people, 'Twice', { type: 'number' }),
    ])
    for (const _ of [1, 2, 3]) expect(await undo()).toEqual(done)
    const inBase = { resourceId: world.baseId, resourceType: 'base' as const }
    const { trashItems } = await api.trash.listTrashItems(inBase)
    const entry = trashItems.find(({ resourceId }) => resourceId === gone.id)
    await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    things = gone
    expect([await owned(), await ownersOf()]).toEqual([
      ['bow, axe', 'bow', ''],
      ['ann', 'bob, ann', ''],
    ])
    expect(await world.cellsOf(people, 'Counts')).toEqual([[2, 1], [2], null])
  })

  test('[UNDO-4] [UNDO-24] asks for the right of now', async () => {
    await addLinks()
    const eve = await world.newCollaborator(`Eve${people.id}`, 'creator')
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const at = { tableId: people.id, fieldId }
    await eve.api.fields.convertField({ ...at, type: 'longText' }, options)
    await api.collaborators.changeBaseCollaborator({
      ...{ baseId: world.baseId, principalId: eve.userId, principalType: 'user' as const },
      role: 'editor',
    })
    const answer = await eve.api.undo.undoChange({ tableId: people.id }, options)
    expect(answer).toEqual(failed(/may not take the action "field\|update"/))
  })
})

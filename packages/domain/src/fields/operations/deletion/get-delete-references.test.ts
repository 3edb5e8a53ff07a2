import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('what the deletion of fields would break', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let otherBaseId: string
  let people: TestTable
  let things: TestTable
  let countId: string

  beforeAll(async () => {
    const { spaceId, api } = world.ada
    otherBaseId = (await api.bases.createBase({ spaceId })).id
  })
  beforeEach(async () => {
    people = await world.makeNames('People', 'ann')
    things = await world.makeNames('Things', 'axe')
    countId = (await world.fieldOf(things, 'Count')).id
  })
  afterEach(async () => {
    await world.clear()
    await world.clear(otherBaseId)
  })

  const referencesTo = (...fieldIds: readonly string[]) =>
    world.api.fields.getDeleteReferences({ tableId: things.id, fieldIds: [...fieldIds] })
  const addLink = (from: TestTable, more: object = {}) =>
    world.addField(from, {
      type: 'link',
      name: 'Owns',
      options: { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true, ...more },
    })
  const addLookup = (from: TestTable, linkFieldId: string, lookupFieldId: string) =>
    world.addField(from, {
      type: 'number',
      name: 'Counts',
      isLookup: true,
      lookupOptions: { linkFieldId, foreignTableId: things.id, lookupFieldId },
    })
  const shown = (
    table: TestTable,
    { id, name, type }: { id: string; name: string; type: string },
  ) => ({
    tableId: table.id,
    fieldId: id,
    name,
    type,
  })

  test('[FIELD-149] refuses fields that are not there, and lists that are none', async () => {
    const [hidden, invalid] = [{ code: 'not_found' }, { code: 'validation_error' }]
    for (const fieldId of ['fld0', '__proto__', people.primaryId]) {
      await expect(referencesTo(countId, fieldId)).rejects.toMatchObject(hidden)
    }
    await expect(referencesTo()).rejects.toMatchObject(invalid)
    const many = Array.from({ length: 501 }, () => countId)
    await expect(referencesTo(...many)).rejects.toMatchObject(invalid)
    const { api } = await world.newPerson('Zoe')
    const call = api.fields.getDeleteReferences({ tableId: things.id, fieldIds: [countId] })
    await expect(call).rejects.toMatchObject(hidden)
  })

  test('[FIELD-149] tells the other end of a link, which goes along', async () => {
    const { options } = await addLink(people, { isOneWay: false })
    const { symmetricFieldId } = options as { symmetricFieldId: string }
    const owns = await world.fieldOf(people, 'Owns')
    expect(await referencesTo(symmetricFieldId)).toEqual({
      [symmetricFieldId]: [shown(people, owns)],
    })
  })

  test('[FIELD-149] tells the formulas, lookups, rollups and links that read a field', async () => {
    const options = { expression: `{${countId}} * 2` }
    const twice = await world.addField(things, { type: 'formula', name: 'Twice', options })
    const link = await addLink(people, { lookupFieldId: countId })
    const lookup = await addLookup(people, link.id, countId)
    const rollup = await world.addField(people, {
      type: 'rollup',
      name: 'Sum',
      lookupOptions: lookup.lookupOptions,
    })
    const references = await referencesTo(countId, things.primaryId, countId, twice.id)
    expect(Object.keys(references)).toHaveLength(3)
    expect(references[things.primaryId]).toEqual([])
    expect(references[twice.id]).toEqual([])
    const expected = [
      shown(things, twice),
      shown(people, link),
      shown(people, lookup),
      shown(people, rollup),
    ]
    expect(references[countId]).toHaveLength(expected.length)
    expect(references[countId]).toEqual(expect.arrayContaining(expected))
    const ofLink = await world.api.fields.getDeleteReferences({
      tableId: people.id,
      fieldIds: [link.id],
    })
    expect(ofLink).toEqual({ [link.id]: [shown(people, lookup), shown(people, rollup)] })
    await world.api.fields.deleteField({ tableId: things.id, fieldId: countId })
    for (const [table, name] of [
      [things, 'Twice'],
      [people, 'Counts'],
      [people, 'Sum'],
    ] as const) {
      expect(await world.fieldOf(table, name)).toMatchObject({ hasError: true })
    }
  })

  test('[FIELD-149] shows those in bases that the caller may read, and no others', async () => {
    const elsewhere = await world.makeTable(
      'Elsewhere',
      [{ type: 'singleLineText', name: 'Name' }],
      [],
      otherBaseId,
    )
    const link = await addLink(elsewhere)
    const lookup = await addLookup(elsewhere, link.id, countId)
    const own = await addLink(people)
    const ownLookup = await addLookup(people, own.id, countId)
    const bob = await world.newCollaborator('Bob', 'creator')
    const seen = await bob.api.fields.getDeleteReferences({
      tableId: things.id,
      fieldIds: [countId],
    })
    expect(seen).toEqual({ [countId]: [shown(people, ownLookup)] })
    const all = await referencesTo(countId)
    expect(all[countId]).toHaveLength(2)
    expect(all[countId]).toContainEqual(shown(elsewhere, lookup))
  })
})

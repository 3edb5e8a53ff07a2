import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const restricted = { code: 'restricted_resource' }

describeOnEveryStorage('links into another base that are converted', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let otherBaseId: string
  let people: TestTable
  let things: TestTable
  /** Changes fields in the world's base, and has no role in the other one. */
  let bob: Person
  /** Changes fields in the world's base, and reads the other one. */
  let eve: Person

  beforeAll(async () => {
    const { spaceId, api } = world.ada
    otherBaseId = (await api.bases.createBase({ spaceId })).id
    bob = await world.newCollaborator('Bob', 'creator')
    eve = await world.newCollaborator('Eve', 'creator')
    const collaborators = [{ principalId: eve.userId, principalType: 'user' as const }]
    const role = 'viewer' as const
    await api.collaborators.addBaseCollaborators({ baseId: otherBaseId, collaborators, role })
  })
  beforeEach(async () => {
    const text = { type: 'singleLineText' }
    const fields = [
      { ...text, name: 'Name' },
      { ...text, name: 'Owns' },
    ]
    people = await world.makeTable('People', fields, [{ Name: 'ann', Owns: 'bow' }])
    const records = [{ Name: 'axe' }, { Name: 'bow' }]
    things = await world.makeTable('Things', fields, records, otherBaseId)
  })
  afterEach(async () => {
    await world.clear()
    await world.clear(otherBaseId)
  })

  const link = (more: object = {}) => ({
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: things.id, ...more },
  })
  const act = async (
    name: 'convertField' | 'planConversion',
    person: Person,
    definition: object,
  ) => {
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const input = { tableId: people.id, fieldId, ...definition } as never
    return person.api.fields[name](input) as Promise<{ readonly options: object }>
  }
  const convert = (person: Person, definition: object) => act('convertField', person, definition)
  const refuses = async (person: Person, definition: object, refusal: object) => {
    await world.expectNoTrace(() => convert(person, definition), refusal)
    await world.expectNoTrace(() => act('planConversion', person, definition), refusal)
  }
  const namesThere = async () =>
    (await world.api.fields.listFields({ tableId: things.id })).map(({ name }) => name)

  test('[FIELD-137] [LINK-1] refuses tables that the caller may not read', async () => {
    const noTable = invalidAt('options', 'foreignTableId')
    await refuses(bob, link(), noTable)
    await refuses(bob, link({ isOneWay: true }), noTable)
    await convert(world.ada, link())
    await refuses(bob, link({ relationship: 'oneOne' }), noTable)
  })

  test('[FIELD-137] [LINK-7] shows and hides there by the hand of one who may', async () => {
    await refuses(eve, link(), restricted)
    expect(await convert(eve, link({ isOneWay: true }))).toMatchObject({
      options: { isOneWay: true, baseId: otherBaseId },
    })
    expect(await world.textsOf(people, 'Owns')).toEqual(['bow'])
    await refuses(eve, link(), restricted)
    await convert(world.ada, link())
    expect(await namesThere()).toEqual(['Name', 'Owns', 'People'])
    expect(await world.textsOf(things, 'People')).toEqual([null, 'ann'])
    await refuses(eve, link({ isOneWay: true }), restricted)
    await refuses(eve, { type: 'longText' }, restricted)
    await convert(eve, link({ relationship: 'oneMany' }))
    expect(await world.fieldOf(things, 'People')).toMatchObject({
      options: { relationship: 'manyOne', baseId: world.baseId },
    })
    await convert(world.ada, { type: 'longText' })
    expect(await world.cellsOf(people, 'Owns')).toEqual(['bow'])
    expect(await namesThere()).toEqual(['Name', 'Owns'])
  })

  test('[FIELD-136] keeps the pairs when it is changed from the other base', async () => {
    await convert(world.ada, link())
    const options = { relationship: 'oneMany', foreignTableId: people.id }
    await world.convert(things, 'People', { type: 'link', options })
    expect(await world.fieldOf(people, 'Owns')).toMatchObject({
      options: { relationship: 'manyOne', baseId: otherBaseId, foreignTableId: things.id },
    })
    expect(await world.textsOf(people, 'Owns')).toEqual(['bow'])
    await world.change(people, people.recordIds[0], { Owns: things.recordIds[0] })
    expect(await world.textsOf(things, 'People')).toEqual(['ann', null])
  })
})

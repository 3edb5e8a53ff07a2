import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const restricted = { code: 'restricted_resource' }
const noTable = invalidAt('options', 'foreignTableId')

describeOnEveryStorage('links between bases', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let otherBaseId: string
  let people: TestTable
  let things: TestTable
  /** Makes fields in the world's base, and has no role in the other one. */
  let bob: Person
  /** Makes fields in the world's base, and reads the other one. */
  let eve: Person

  beforeAll(async () => {
    const { spaceId, api } = world.ada
    otherBaseId = (await api.bases.createBase({ spaceId })).id
    bob = await world.newCollaborator('Bob', 'creator')
    eve = await world.newCollaborator('Eve', 'creator')
    const collaborators = [{ principalId: eve.userId, principalType: 'user' as const }]
    await api.collaborators.addBaseCollaborators({
      baseId: otherBaseId,
      collaborators,
      role: 'viewer',
    })
  })
  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'cid')
    const records = ['axe', 'bow', 'cup'].map((Name) => ({ Name }))
    const fields = [{ type: 'singleLineText', name: 'Name' }]
    things = await world.makeTable('Things', fields, records, otherBaseId)
  })

  afterEach(async () => {
    await world.clear()
    await world.clear(otherBaseId)
  })

  const linkTo = (foreignTableId: string, options: object = {}) => ({
    type: 'link',
    name: 'Things',
    options: { relationship: 'manyMany', foreignTableId, ...options },
  })
  const makeField = (person: Person, definition: object) =>
    person.api.fields.createField({ tableId: people.id, ...definition } as never)
  const fieldsOf = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).map(({ name, hasError }) => [name, hasError])

  test('[LINK-1] refuses tables that the caller may not read like those that are not there', async () => {
    const strange = await world.newPerson('Zoe')
    const { id: baseId } = await strange.api.bases.createBase({ spaceId: strange.spaceId })
    const hidden = await strange.api.tables.createTable({ baseId })
    const answers = []
    for (const [person, tableId] of [
      [bob, things.id],
      [bob, 'tbl0'],
      [world.ada, hidden.id],
      [eve, hidden.id],
    ] as const) {
      for (const isOneWay of [true, false]) {
        const call = () => makeField(person, linkTo(tableId, { isOneWay }))
        await world.expectNoTrace(call, noTable)
        answers.push(await call().catch(({ message }) => message))
      }
      const fields = [{ type: 'number' }, linkTo(tableId)] as never
      await world.expectNoTrace(
        () => person.api.tables.createTable({ baseId: world.baseId, fields }),
        invalidAt('fields', 1, 'options', 'foreignTableId'),
      )
    }
    expect(new Set(answers).size).toBe(1)
  })

  test('[LINK-1] refuses tables of another space, though the caller may read them', async () => {
    const { id: spaceId } = await world.api.spaces.createSpace({ name: 'Elsewhere' })
    const { id: baseId } = await world.api.bases.createBase({ spaceId })
    const there = await world.makeTable('There', [{ type: 'number' }], [], baseId)
    await world.expectNoTrace(() => makeField(world.ada, linkTo(there.id)), noTable)
    const fields = [{ type: 'number' }, linkTo(people.id)] as never
    await world.expectNoTrace(
      () => world.api.tables.createTable({ baseId, fields }),
      invalidAt('fields', 1, 'options', 'foreignTableId'),
    )
  })

  test('[LINK-1] is not reached by a token for one base alone', async () => {
    const api = world.engine.as({
      kind: 'token',
      userId: world.ada.userId,
      tokenId: 'acc0',
      scopes: new Set(['field|create', 'field|read', 'record|read'] as const),
      reach: { spaceIds: new Set(), baseIds: new Set([world.baseId]) },
    })
    const make = (tableId: string) =>
      api.fields.createField({ tableId: people.id, ...linkTo(tableId) } as never)
    await world.expectNoTrace(() => make(things.id), noTable)
    expect(await make(people.id)).toMatchObject({ type: 'link' })
  })

  test('[LINK-7] shows in another base only by the hand of one who makes fields there', async () => {
    await world.expectNoTrace(() => makeField(eve, linkTo(things.id)), restricted)
    expect(await fieldsOf(things)).toEqual([['Name', undefined]])
    const link = await makeField(eve, linkTo(things.id, { isOneWay: true }))
    expect(link.options).toMatchObject({ isOneWay: true, baseId: otherBaseId })
  })

  test('[LINK-7] is deleted at both ends only by one who deletes fields there', async () => {
    const link = await world.addField(people, linkTo(things.id))
    const oneWay = await world.addField(people, linkTo(things.id, { isOneWay: true }))
    const remove = (person: Person, fieldId: string) =>
      person.api.fields.deleteField({ tableId: people.id, fieldId })
    await world.expectNoTrace(() => remove(eve, link.id), restricted)
    await world.expectNoTrace(() => remove(bob, link.id), { code: 'not_found' })
    expect(await fieldsOf(things)).toEqual([
      ['Name', undefined],
      ['People', undefined],
    ])
    await remove(bob, oneWay.id)
    await remove(world.ada, link.id)
    expect(await fieldsOf(things)).toEqual([['Name', undefined]])
  })

  test('[LINK-4] tells the base of the linked table at both ends', async () => {
    const link = await world.addField(people, linkTo(things.id))
    const place = { fkHostTableName: `${world.baseId}.__link_${link.id}` }
    expect(link.options).toMatchObject({ ...place, baseId: otherBaseId })
    const symmetric = await world.fieldOf(things, 'People')
    expect(symmetric.options).toMatchObject({ ...place, baseId: world.baseId })
    const lookup = await world.addField(people, {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: {
        linkFieldId: link.id,
        foreignTableId: things.id,
        lookupFieldId: things.primaryId,
      },
    })
    expect(lookup.lookupOptions).toMatchObject({ ...place, baseId: otherBaseId })
  })

  test('[LINK-4] refuses another base than that of the linked table', async () => {
    const refusal = {
      ...invalidAt('options', 'baseId'),
      message: expect.stringContaining('the base of the linked table'),
    }
    for (const baseId of [world.baseId, 'bse0']) {
      await world.expectNoTrace(() => makeField(world.ada, linkTo(things.id, { baseId })), refusal)
    }
    const here = linkTo(people.id, { baseId: otherBaseId })
    await world.expectNoTrace(() => makeField(world.ada, here), refusal)
    const link = await world.addField(people, linkTo(things.id, { baseId: otherBaseId }))
    expect(link.options).toMatchObject({ baseId: otherBaseId })
    const convert = (baseId: string) =>
      world.convert(people, 'Things', linkTo(things.id, { baseId, isOneWay: true }))
    await world.expectNoTrace(() => convert('bse0'), refusal)
    expect((await convert(otherBaseId)).options).toMatchObject({ baseId: otherBaseId })
    const itself = await world.addField(people, {
      ...linkTo(people.id, { baseId: world.baseId }),
      name: 'Knows',
    })
    expect(itself.options).not.toHaveProperty('baseId')
  })

  test('[LINK-4] refuses it of lookups and rollups alike', async () => {
    const { id: linkFieldId } = await world.addField(people, linkTo(things.id))
    const { api } = world
    const reading = (baseId?: string) => ({
      lookupOptions: {
        linkFieldId,
        foreignTableId: things.id,
        lookupFieldId: things.primaryId,
        ...(baseId === undefined ? {} : { baseId }),
      },
    })
    const kinds = [
      { type: 'singleLineText', isLookup: true },
      { type: 'rollup', options: { expression: 'countall({values})' } },
    ]
    const { id: fieldId } = await world.addField(people, { type: 'number', name: 'Other' })
    const refusal = invalidAt('lookupOptions', 'baseId')
    for (const kind of kinds) {
      for (const baseId of [world.baseId, 'bse0']) {
        const place = { tableId: people.id, ...kind, ...reading(baseId) } as never
        for (const call of [
          () => api.fields.createField(place),
          () => api.fields.planCreation(place),
          () => api.fields.convertField({ ...(place as object), fieldId } as never),
          () => api.fields.planConversion({ ...(place as object), fieldId } as never),
        ]) {
          await world.expectNoTrace(call, refusal)
        }
      }
      for (const baseId of [otherBaseId, undefined]) {
        const { lookupOptions } = await world.addField(people, { ...kind, ...reading(baseId) })
        expect(lookupOptions).toMatchObject({ baseId: otherBaseId })
      }
    }
  })

  test('[LINK-12] [LINK-14] shows changes in the other base at once', async () => {
    const [axe, bow] = things.recordIds
    const [ann] = people.recordIds
    await world.addField(people, linkTo(things.id))
    await world.change(people, ann, { Things: [bow, axe] })
    const back = [{ id: ann, title: 'ann' }]
    expect(await world.cellsOf(things, 'People')).toEqual([back, back, null])
    await world.change(things, axe, { Name: 'saw', People: [] })
    await world.change(things, bow, { Name: 'arrow' })
    expect(await world.cellsOf(people, 'Things')).toEqual([[{ id: bow, title: 'arrow' }], null])
    await world.remove(things, bow)
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
  })

  test('[LINK-70] keeps records that the caller may not read by what the cell shows of them', async () => {
    const [axe, bow] = things.recordIds
    const [ann] = people.recordIds
    await world.addField(people, linkTo(things.id))
    await world.change(people, ann, { Things: [axe, bow] })
    const write = async (Things: string) => {
      const record = { fields: { Things } }
      const recordId = ann ?? ''
      await bob.api.records.updateRecord({ tableId: people.id, recordId, record, typecast: true })
      const [cell] = await world.cellsOf(people, 'Things')
      return (cell as { id: string }[] | null)?.map(({ id }) => id)
    }
    expect(await write('axe, bow')).toEqual([axe, bow])
    expect(await write('bow, cup')).toEqual([bow])
    expect(await write('cup')).toBeUndefined()
  })

  test('[LINK-15] keeps records that the caller may not read, and takes no others', async () => {
    const [axe, bow, cup] = things.recordIds
    const [ann, cid] = people.recordIds
    await world.addField(people, linkTo(things.id))
    await world.change(people, ann, { Things: [axe, bow] })
    const link = (recordId = '', cell: unknown) =>
      bob.api.records.updateRecord({
        tableId: people.id,
        recordId,
        record: { fields: { Things: cell } } as never,
      })
    const refusal = invalidAt('record', 'fields', 'Things')
    const answers = []
    for (const [recordId, cell] of [
      [ann, [axe, cup]],
      [ann, [axe, 'rec0']],
      [cid, [axe]],
    ] as const) {
      await world.expectNoTrace(() => link(recordId, cell), refusal)
      const named = cell.at(-1) ?? ''
      answers.push(await link(recordId, cell).catch(({ message }) => message.replace(named, '…')))
    }
    expect(new Set(answers).size).toBe(1)
    expect((await link(ann, [bow, { id: axe }])).fields).toMatchObject({
      Things: [
        { id: bow, title: 'bow' },
        { id: axe, title: 'axe' },
      ],
    })
    expect((await link(ann, [axe])).fields).toMatchObject({ Things: [{ id: axe, title: 'axe' }] })
    await world.expectNoTrace(() => link(ann, [axe, bow]), refusal)
    const { records } = await eve.api.records
      .updateRecord({
        tableId: people.id,
        recordId: cid ?? '',
        record: { fields: { Things: [cup] } } as never,
      })
      .then((record) => ({ records: [record] }))
    expect(records[0]?.fields).toMatchObject({ Things: [{ id: cup, title: 'cup' }] })
    const cast = bob.api.records.updateRecord({
      tableId: people.id,
      recordId: cid ?? '',
      record: { fields: { Things: 'bow' } },
      typecast: true,
    })
    expect((await cast).fields).not.toHaveProperty('Things')
  })

  test('[LINK-18] has an error once the other base is deleted', async () => {
    const { api, spaceId } = world.ada
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const there = await world.makeTable('There', [{ type: 'number' }], [{}], baseId)
    const link = await world.addField(people, linkTo(there.id))
    await world.change(people, people.recordIds[0], { Things: there.recordIds })
    await api.bases.deleteBase({ baseId })
    expect(await world.fieldOf(people, 'Things')).toMatchObject({ hasError: true })
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
    await world.expectNoTrace(() => makeField(world.ada, linkTo(there.id)), noTable)
    await api.fields.deleteField({ tableId: people.id, fieldId: link.id })
    await world.remove(people, ...people.recordIds)
  })

  test('[LINK-18] has an error once the table in the other base is deleted', async () => {
    await world.addField(people, linkTo(things.id))
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
    await world.api.tables.deleteTable({ baseId: otherBaseId, tableId: things.id })
    expect(await world.fieldOf(people, 'Things')).toMatchObject({ hasError: true })
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
  })
})

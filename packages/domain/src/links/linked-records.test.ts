import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Relationship } from '../fields/link-end.ts'

describeOnEveryStorage('linked records', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob', 'cid')
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
  })
  afterEach(() => world.clear())

  const addLink = (from: TestTable, to: TestTable, options: object = {}) =>
    world.addField(from, {
      type: 'link',
      name: 'Link',
      options: { relationship: 'manyMany', foreignTableId: to.id, ...options },
    })
  const titlesIn = async (table: TestTable, field: string) =>
    (await world.cellsOf(table, field)).map((cell) =>
      [cell ?? []].flat().map((item) => (item as { title?: string }).title ?? null),
    )

  test('[LINK-16] a deleted one is in no cell of either end', async () => {
    await addLink(people, things)
    const [ann, bob] = people.recordIds
    const [axe, bow, cup] = things.recordIds
    await world.change(people, ann, { Link: [axe, bow, cup] })
    await world.change(people, bob, { Link: [cup, axe] })
    await world.remove(things, axe, bow)
    expect(await titlesIn(people, 'Link')).toEqual([['cup'], ['cup'], []])
    expect(await titlesIn(things, 'People')).toEqual([['ann', 'bob']])
    await world.remove(people, ann)
    expect(await titlesIn(things, 'People')).toEqual([['bob']])
    await world.remove(people, bob)
    expect(await titlesIn(things, 'People')).toEqual([[]])
    expect(await world.change(people, people.recordIds[2], { Link: [cup] })).toHaveProperty('Link')
  })

  test.each<Relationship>(['oneOne', 'oneMany', 'manyOne', 'manyMany'])(
    '[LINK-16] a deleted one is in no cell of a one-way link that is %s',
    async (relationship) => {
      await addLink(people, things, { relationship, isOneWay: true })
      const cell = (id?: string) => (relationship.endsWith('One') ? id : [id])
      const [ann, bob] = people.recordIds
      const [axe, bow] = things.recordIds
      await world.change(people, ann, { Link: cell(axe) })
      await world.change(people, bob, { Link: cell(bow) })
      await world.remove(things, axe)
      expect(await titlesIn(people, 'Link')).toEqual([[], ['bow'], []])
      await world.remove(people, ann, bob)
      await world.remove(things, bow)
      expect(await titlesIn(people, 'Link')).toEqual([[]])
    },
  )

  test('[LINK-16] deleted ones were linked to one another, and to themselves', async () => {
    await addLink(people, people, { relationship: 'manyMany' })
    const [ann, bob, cid] = people.recordIds
    await world.change(people, ann, { Link: [ann, bob, cid] })
    await world.change(people, bob, { Link: [ann, cid] })
    await world.remove(people, ann, bob)
    expect(await titlesIn(people, 'Link')).toEqual([[]])
    expect(await titlesIn(people, 'People')).toEqual([[]])
  })

  test('[LINK-16] tells who lost a link, and lets nobody be its author', async () => {
    const { api, clock } = world
    await addLink(people, things)
    const [ann, bob] = people.recordIds
    const [axe] = things.recordIds
    await world.change(people, bob, { Link: [axe] })
    const recordId = bob ?? ''
    const { version, lastModifiedTime } = await api.records.getRecord({
      tableId: people.id,
      recordId,
    })
    clock.advance(1_000)
    const { userId } = world.ada
    expect(await world.heard(() => world.remove(things, axe))).toEqual([
      { name: 'record.deleted', userId, tableId: things.id, recordIds: [axe] },
      { name: 'record.updated', userId, tableId: people.id, recordIds: [bob] },
    ])
    expect(await api.records.getRecord({ tableId: people.id, recordId })).toMatchObject({
      version: version + 1,
      lastModifiedTime,
    })
    expect(await world.recordOf(people, ann)).toEqual({ Name: 'ann', Count: 1 })
  })

  test('[LINK-14] change the titles that they are linked by', async () => {
    await addLink(people, things)
    const [ann, bob] = people.recordIds
    const [axe, bow] = things.recordIds
    await world.change(people, ann, { Link: [axe, bow] })
    await world.change(people, bob, { Link: [axe] })
    await world.change(things, axe, { Name: 'saw' })
    expect(await titlesIn(people, 'Link')).toEqual([['saw', 'bow'], ['saw'], []])
    await world.change(things, axe, { Name: null })
    expect(await world.cellsOf(people, 'Link')).toEqual([
      [{ id: axe }, { id: bow, title: 'bow' }],
      [{ id: axe }],
      null,
    ])
    await world.change(things, axe, { Name: 'x'.repeat(600), Count: 9 })
    expect(await titlesIn(people, 'Link')).toEqual([
      ['x'.repeat(500), 'bow'],
      ['x'.repeat(500)],
      [],
    ])
  })

  test('[LINK-14] change titles and links in one request, of a table linked to itself', async () => {
    await addLink(people, people)
    const [ann, bob] = people.recordIds
    expect(await world.change(people, ann, { Name: 'amy', Link: [ann, bob] })).toEqual({
      Name: 'amy',
      Count: 1,
      Link: [
        { id: ann, title: 'amy' },
        { id: bob, title: 'bob' },
      ],
      People: [{ id: ann, title: 'amy' }],
    })
    await world.change(people, bob, { Name: 'ben' })
    expect(await titlesIn(people, 'Link')).toEqual([['amy', 'ben'], [], []])
  })

  test.each([
    ['number', {}, 1234.567, '1234.57', 2, '2.00'],
    [
      'date',
      { formatting: { date: 'M/D/YYYY', time: 'HH:mm', timeZone: 'Asia/Tokyo' } },
      '2024-03-05T20:00:00.000Z',
      '3/6/2024 05:00',
      '2024-01-01T00:00:00.000Z',
      '1/1/2024 09:00',
    ],
    ['singleSelect', { choices: [{ name: 'a' }, { name: 'b' }] }, 'a', 'a', 'b', 'b'],
    [
      'multipleSelect',
      { choices: [{ name: 'a, c' }, { name: 'b' }] },
      ['a, c', 'b'],
      '"a, c", b',
      ['b'],
      'b',
    ],
    ['rating', {}, 3, '3', 5, '5'],
  ])(
    '[LINK-14] are titled by what is shown of a %s',
    async (type, options, value, title, otherValue, otherTitle) => {
      const fields = [{ type, name: 'Key', options }]
      const keys = await world.makeTable('Keys', fields, [{ Key: value }, {}])
      await addLink(people, keys)
      const [ann] = people.recordIds
      await world.change(people, ann, { Link: keys.recordIds })
      expect((await titlesIn(people, 'Link'))[0]).toEqual([title, null])
      await world.change(keys, keys.recordIds[0], { Key: otherValue })
      await world.change(keys, keys.recordIds[1], { Key: value })
      expect((await titlesIn(people, 'Link'))[0]).toEqual([otherTitle, title])
    },
  )

  test('[LINK-14] are titled by formulas, people, numbers and times of their own', async () => {
    const [ann] = people.recordIds
    const sums = await world.makeTable(
      'Sums',
      [
        { type: 'formula', name: 'Sum', options: { expression: '{A} & "-" & {B}' } },
        { type: 'number', name: 'A' },
        { type: 'number', name: 'B' },
        { type: 'user', name: 'Who' },
        { type: 'autoNumber', name: 'No' },
        { type: 'lastModifiedTime', name: 'When' },
        { type: 'createdBy', name: 'By' },
      ],
      [{ A: 1, B: 2, Who: world.ada.userId }],
    )
    const [sum] = sums.recordIds
    const made = new Date(world.clock.now()).toISOString().slice(0, 10)
    await world.change(sums, sum, { B: 3 })
    for (const [name, title] of [
      ['Sum', '1-3'],
      ['Who', 'ada'],
      ['No', '1'],
      ['When', made],
      ['By', 'ada'],
    ] as const) {
      const { id: lookupFieldId } = await world.fieldOf(sums, name)
      const link = await addLink(people, sums, { lookupFieldId, isOneWay: true })
      await world.change(people, ann, { [link.name]: [sum] })
      expect((await titlesIn(people, link.name))[0]).toEqual([title])
    }
    world.clock.advance(86_400_000)
    await world.change(sums, sum, { A: 5, Who: null })
    const now = new Date(world.clock.now()).toISOString().slice(0, 10)
    const titles = ['Link', 'Link 2', 'Link 3', 'Link 4', 'Link 5'].map(async (name) => {
      const [first] = await titlesIn(people, name)
      return first?.[0] ?? null
    })
    expect(await Promise.all(titles)).toEqual(['5-3', null, '1', now, 'ada'])
    await world.change(sums, sum, { B: 6 })
    expect((await titlesIn(people, 'Link'))[0]).toEqual(['5-6'])
  })

  test('[LINK-14] are titled by links of their own', async () => {
    const [ann] = people.recordIds
    const [axe] = things.recordIds
    const link = await addLink(things, people, { relationship: 'manyMany' })
    const notes = await world.makeTable('Notes', [{ type: 'singleLineText', name: 'Text' }], [{}])
    await addLink(notes, things, { lookupFieldId: link.id })
    await world.change(notes, notes.recordIds[0], { Link: [axe] })
    expect(await titlesIn(notes, 'Link')).toEqual([[null]])
    await world.change(things, axe, { Link: people.recordIds })
    expect(await titlesIn(notes, 'Link')).toEqual([['ann, bob, cid']])
    await world.change(people, ann, { Name: 'amy' })
    expect(await titlesIn(notes, 'Link')).toEqual([['amy, bob, cid']])
    await world.remove(people, people.recordIds[1])
    expect(await titlesIn(notes, 'Link')).toEqual([['amy, cid']])
  })
})

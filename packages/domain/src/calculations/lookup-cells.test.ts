import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const file = {
  token: 'tokenOfFile',
  path: 'files/1',
  size: 3,
  mimetype: 'text/plain',
  width: null,
  height: null,
}

describeOnEveryStorage('lookup cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  /** A link of people to many things, and one to a single thing. */
  let links: { readonly many: string; readonly one: string }

  beforeAll(async () => {
    const { spaceId, userId: createdBy } = world.ada
    const createdTime = new Date(world.clock.now()).toISOString()
    await world.engine.store.write((tx) =>
      tx.attachments.insert({ ...file, spaceId, createdBy, createdTime, attachedTime: null }),
    )
  })
  beforeEach(async () => {
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
    people = await world.makeNames('People', 'ann', 'bob')
    const addLink = (name: string, relationship: string) =>
      world.addField(people, {
        type: 'link',
        name,
        options: { relationship, foreignTableId: things.id, isOneWay: true },
      })
    links = {
      many: (await addLink('Many', 'manyMany')).id,
      one: (await addLink('One', 'manyOne')).id,
    }
    const [axe, bow, cup] = things.recordIds
    await world.change(people, people.recordIds[0], { Many: [cup, axe, bow], One: bow })
  })
  afterEach(() => world.clear())

  const lookUp = (type: string, lookupFieldId: string, linkFieldId = links.many, table = people) =>
    world.addField(table, {
      type,
      name: `Seen by ${linkFieldId}`,
      isLookup: true,
      lookupOptions: { linkFieldId, foreignTableId: things.id, lookupFieldId },
    })
  const enter = (recordId: string | undefined, value: unknown) => {
    const { count } = (value ?? {}) as { count?: number }
    return count === undefined
      ? world.change(things, recordId, { Source: value })
      : world.press(things, recordId, 'Source', count)
  }
  /** What a field of things with the values is seen as: through the link to many, and to one. */
  const seen = async (
    definition: { type: string; name?: string },
    values: readonly unknown[] = [],
  ) => {
    const source = await world.addField(things, { name: 'Source', ...definition })
    const [first] = people.recordIds
    const isEntered = values.length > 0
    const many = await lookUp(definition.type, source.id)
    const one = await lookUp(definition.type, source.id, links.one)
    for (const [index, value] of values.entries()) {
      if (isEntered) await enter(things.recordIds[index], value)
    }
    const found = await world.recordOf(people, first)
    const texts = await world.textsOf(people, many.name)
    return { many: found[many.name], one: found[one.name], text: texts[0] }
  }

  const choices = [{ name: 'x' }, { name: 'y' }]
  test.each([
    [{ type: 'singleLineText' }, ['a', null, 'a, c'], ['a, c', 'a'], undefined, '"a, c", a'],
    [{ type: 'longText' }, ['a', 'b\nb', null], ['a', 'b\nb'], 'b\nb', 'a, b\nb'],
    [{ type: 'number' }, [1, 0, 2.5], [2.5, 1, 0], 0, '2.50, 1.00, 0.00'],
    [{ type: 'rating' }, [1, 2, 3], [3, 1, 2], 2, '3, 1, 2'],
    [{ type: 'checkbox' }, [true, null, true], [true, true], undefined, 'true, true'],
    [
      { type: 'singleSelect', options: { choices } },
      ['x', 'y', 'x'],
      ['x', 'x', 'y'],
      'y',
      'x, x, y',
    ],
    [
      { type: 'multipleSelect', options: { choices } },
      [['x', 'y'], ['y'], null],
      ['x', 'y', 'y'],
      ['y'],
      'x, y, y',
    ],
    [
      { type: 'date' },
      ['2024-03-05T00:00:00.000Z', null, '2024-03-06T00:00:00.000Z'],
      ['2024-03-06T00:00:00.000Z', '2024-03-05T00:00:00.000Z'],
      undefined,
      '2024-03-06, 2024-03-05',
    ],
    [
      { type: 'button' },
      [{ count: 1 }, { count: 2 }, null],
      [{ count: 1 }, { count: 2 }],
      { count: 2 },
      ', ',
    ],
  ])('[CALC-16] show a %j as its field does', async (definition, values, many, one, text) => {
    const found = await seen(definition, values)
    expect(found).toMatchObject({ many })
    expect(found.one).toEqual(one)
    if (definition.type !== 'button') expect(found.text).toBe(text)
  })

  test('[CALC-16] show people', async () => {
    const me = shownUser(world.ada, 'ada')
    expect(await seen({ type: 'user' }, [world.ada.userId, world.ada.userId, null])).toEqual({
      many: [me, me],
      one: me,
      text: 'ada, ada',
    })
    expect(await seen({ type: 'createdBy', name: 'By' })).toMatchObject({
      many: [me, me, me],
      one: me,
    })
  })

  test('[CALC-16] show files', async () => {
    const sent = { id: 'actFile', name: 'a.txt', token: file.token }
    const { width: _, height: __, ...stored } = file
    const shown = { ...sent, ...stored, presignedUrl: expect.any(String) }
    expect(await seen({ type: 'attachment' }, [[sent], [sent], null])).toEqual({
      many: [shown, shown],
      one: [shown],
      text: 'a.txt (tokenOfFile),a.txt (tokenOfFile)',
    })
  })

  test('[CALC-16] show what every record has', async () => {
    expect(await seen({ type: 'autoNumber' })).toMatchObject({ many: [3, 1, 2], one: 2 })
    const made = (await world.api.records.listRecords({ tableId: things.id })).records[0]
      ?.createdTime
    expect(await seen({ type: 'createdTime', name: 'Made' })).toMatchObject({
      many: [made, made, made],
      one: made,
    })
    const changed = await seen({ type: 'lastModifiedTime', name: 'Changed' })
    expect(changed).toMatchObject({ many: undefined, one: undefined })
    world.clock.advance(1_000)
    const now = new Date(world.clock.now()).toISOString()
    await world.change(things, things.recordIds[1], { Count: 7 })
    const cells = await world.recordOf(people, people.recordIds[0])
    expect(Object.values(cells)).toContainEqual([now])
    expect(Object.values(cells)).toContain(now)
  })

  test('[CALC-16] show links', async () => {
    const [ann, bob] = people.recordIds
    const options = { relationship: 'manyMany', foreignTableId: people.id, isOneWay: true }
    const owners = { type: 'link', options }
    const title = (id: string | undefined, name: string) => ({ id, title: name })
    expect(await seen(owners, [[ann], [bob, ann], []])).toEqual({
      many: [title(ann, 'ann'), title(bob, 'bob'), title(ann, 'ann')],
      one: [title(bob, 'bob'), title(ann, 'ann')],
      text: 'ann, bob, ann',
    })
    await world.change(people, bob, { Name: 'ben' })
    const cells = await world.recordOf(people, ann)
    expect(Object.values(cells)).toContainEqual([title(bob, 'ben'), title(ann, 'ann')])
  })

  test('[CALC-16] show formulas and rollups', async () => {
    const formula = { type: 'formula', options: { expression: '{Count} * 2' } }
    expect(await seen(formula)).toEqual({ many: [6, 2, 4], one: 4, text: '6.00, 2.00, 4.00' })
    const box = { type: 'formula', name: 'Box', options: { expression: '{Count} > 1' } }
    expect(await seen(box)).toMatchObject({ many: [true, false, true], one: true })
    const list = { type: 'formula', name: 'List', options: { expression: 'ARRAY_COMPACT({Name})' } }
    expect(await seen(list)).toMatchObject({ many: ['cup', 'axe', 'bow'], one: ['bow'] })
  })

  test('[CALC-16] show lookups of lookups, over three tables', async () => {
    const name = await lookUp('singleLineText', things.primaryId)
    const one = await lookUp('singleLineText', things.primaryId, links.one)
    const notes = await world.makeNames('Notes', 'n')
    const options = { relationship: 'oneMany', foreignTableId: people.id }
    const link = await world.addField(notes, { type: 'link', name: 'Who', options })
    for (const [lookupFieldId, field] of [
      [name.id, 'Names'],
      [one.id, 'One name'],
    ]) {
      await world.addField(notes, {
        type: 'singleLineText',
        name: field,
        isLookup: true,
        lookupOptions: { linkFieldId: link.id, foreignTableId: people.id, lookupFieldId },
      })
    }
    const [ann, bob] = people.recordIds
    await world.change(notes, notes.recordIds[0], { Who: [bob, ann] })
    expect(await world.cellsOf(notes, 'Names')).toEqual([['cup', 'axe', 'bow']])
    expect(await world.cellsOf(notes, 'One name')).toEqual([['bow']])
    await world.change(things, things.recordIds[1], { Name: 'new' })
    expect(await world.cellsOf(notes, 'Names')).toEqual([['cup', 'axe', 'new']])
    expect(await world.cellsOf(notes, 'One name')).toEqual([['new']])
    await world.change(people, bob, { Many: [things.recordIds[0]] })
    expect(await world.cellsOf(notes, 'Names')).toEqual([['axe', 'cup', 'axe', 'new']])
  })

  test('[CALC-18] are read by formulas like the field that they read', async () => {
    const { id: countId } = await world.fieldOf(things, 'Count')
    await world.addField(people, {
      type: 'number',
      name: 'Counts',
      isLookup: true,
      lookupOptions: { linkFieldId: links.many, foreignTableId: things.id, lookupFieldId: countId },
    })
    const options = { expression: 'SUM({Counts}) & " of " & ARRAY_JOIN({Many})' }
    await world.addField(people, { type: 'formula', name: 'Text', options })
    expect(await world.cellsOf(people, 'Text')).toEqual(['6 of cup, axe, bow', '0 of '])
  })

  test('[CALC-31] show the choices that typecast adds to the field that they read', async () => {
    const options = { choices: [{ name: 'small' }] }
    const kind = await world.addField(things, { type: 'singleSelect', name: 'Kind', options })
    const [axe] = things.recordIds
    const lookup = { linkFieldId: links.many, foreignTableId: things.id, lookupFieldId: kind.id }
    const definition = { type: 'singleSelect', isLookup: true, lookupOptions: lookup }
    const { name } = await world.addField(people, definition)
    await world.change(things, axe, { Kind: 'large' }, true)
    const shown = await world.fieldOf(people, name)
    expect(shown.options).toMatchObject({ choices: [{ name: 'small' }, { name: 'large' }] })
  })

  test('[CALC-32] are empty where the list would be too long', async () => {
    const { id: lookupFieldId } = await world.fieldOf(things, 'Name')
    const lookupOptions = { linkFieldId: links.many, foreignTableId: things.id, lookupFieldId }
    await withLimits({ longCellBytes: 13, middlingCellBytes: 13 }, async () => {
      const definition = { type: 'singleLineText', name: 'Names', isLookup: true, lookupOptions }
      await world.addField(people, definition)
      const [ann, bob] = people.recordIds
      const [axe, bow] = things.recordIds
      await world.change(people, ann, { Many: things.recordIds })
      await world.change(people, bob, { Many: [axe, bow] })
      expect(await world.cellsOf(people, 'Names')).toEqual([null, ['axe', 'bow']])
    })
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('formula cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable

  beforeEach(async () => {
    table = await world.makeNames('People', 'ann', 'bob')
  })
  afterEach(() => world.clear())

  const addFormula = (name: string, expression: string, options: object = {}) =>
    world.addField(table, { type: 'formula', name, options: { expression, ...options } })
  const now = () => new Date(world.clock.now()).toISOString()

  test.each([
    [{ type: 'singleLineText' }, 'x', '{Source} & "!"', 'x!', '!'],
    [{ type: 'longText' }, 'x\ny', 'LEN({Source})', 3, 0],
    [{ type: 'number' }, 2, '{Source} + 1', 3, 1],
    [{ type: 'number' }, 2.5, '{Source} & ""', '2.5', null],
    [{ type: 'rating' }, 3, '{Source} * 2', 6, 0],
    [{ type: 'checkbox' }, true, 'IF({Source}, "yes", "no")', 'yes', 'no'],
    [{ type: 'checkbox' }, true, 'NOT({Source})', false, true],
    [
      { type: 'singleSelect', options: { choices: [{ name: 'a' }] } },
      'a',
      '{Source} = "a"',
      true,
      false,
    ],
    [
      { type: 'multipleSelect', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
      ['b', 'a'],
      'ARRAY_JOIN({Source}, "-")',
      'b-a',
      null,
    ],
    [{ type: 'date' }, '2024-03-05', 'YEAR({Source})', 2024, null],
    [
      { type: 'date' },
      '2024-03-05',
      'DATE_ADD({Source}, 1, "day")',
      '2024-03-06T00:00:00.000Z',
      null,
    ],
  ])('[CALC-18] read a %j', async (definition, value, expression, result, ofNothing) => {
    await world.addField(table, { ...definition, name: 'Source' })
    await addFormula('Result', expression)
    const [ann] = table.recordIds
    const cells = await world.change(table, ann, { Source: value })
    expect(cells.Result ?? null).toEqual(result)
    expect(await world.cellsOf(table, 'Result')).toEqual([result, ofNothing])
    await world.change(table, ann, { Source: null })
    expect(await world.cellsOf(table, 'Result')).toEqual([ofNothing, ofNothing])
  })

  test('[CALC-18] read nothing of a button', async () => {
    await world.addField(table, { type: 'button', name: 'Source' })
    await addFormula('Result', '"of " & {Source}')
    await world.press(table, table.recordIds[0], 'Source', 1)
    expect(await world.cellsOf(table, 'Result')).toEqual(['of ', 'of '])
  })

  test('[CALC-18] read people by name, one or several', async () => {
    await world.addField(table, { type: 'user', name: 'Who' })
    await world.addField(table, { type: 'user', name: 'All', options: { isMultiple: true } })
    await world.addField(table, { type: 'createdBy', name: 'By' })
    await addFormula('One', '"by " & {Who}')
    await addFormula('Joined', 'ARRAY_JOIN({All}, "+")')
    await addFormula('Maker', 'UPPER({By})')
    const me = world.ada.userId
    const bob = await world.newCollaborator('Bob', 'editor')
    expect(
      await world.change(table, table.recordIds[0], { Who: me, All: [bob.userId, me] }),
    ).toMatchObject({ One: 'by ada', Joined: 'bob+ada', Maker: 'ADA' })
  })

  test('[CALC-18] read links and files by name', async () => {
    const { spaceId, userId: createdBy } = world.ada
    const file = { token: 'tokenRead', path: 'p', size: 1, mimetype: 'a/b', width: 1, height: 1 }
    await world.engine.store.write((tx) =>
      tx.attachments.insert({
        ...file,
        spaceId,
        createdBy,
        createdTime: now(),
        attachedTime: null,
      }),
    )
    await world.addField(table, { type: 'attachment', name: 'Files' })
    const options = { relationship: 'manyOne', foreignTableId: table.id, isOneWay: true }
    await world.addField(table, { type: 'link', name: 'Boss', options })
    await addFormula('Text', 'ARRAY_JOIN({Files}) & " of " & {Boss}')
    const [ann, bob] = table.recordIds
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, token: file.token }))
    expect(await world.change(table, ann, { Files: files, Boss: bob })).toMatchObject({
      Text: 'a.txt, b.txt of bob',
    })
    await world.change(table, bob, { Name: 'ben' })
    expect((await world.cellsOf(table, 'Text'))[0]).toBe('a.txt, b.txt of ben')
  })

  test('[CALC-18] read what only a stored record has', async () => {
    await world.addField(table, { type: 'autoNumber', name: 'No' })
    await addFormula('Number', 'AUTO_NUMBER() * 10')
    await addFormula('Shown', '"#" & {No}')
    await addFormula('Id', 'RECORD_ID()')
    await addFormula('Twice', '{Number} * 2')
    const made = now()
    await addFormula('Made', 'CREATED_TIME()')
    const [ann] = table.recordIds
    expect(await world.recordOf(table, ann)).toMatchObject({
      Number: 10,
      Shown: '#1',
      Id: ann,
      Twice: 20,
      Made: made,
    })
    world.clock.advance(1_000)
    const { records } = await world.api.records.createRecords({
      tableId: table.id,
      records: [{ fields: {} }, { fields: { Name: 'x' } }],
    })
    const cells = records.map(({ id, autoNumber, fields }) => ({ id, autoNumber, ...fields }))
    for (const { id, autoNumber, ...fields } of cells) {
      expect(fields).toMatchObject({
        Number: autoNumber * 10,
        Shown: `#${autoNumber}`,
        Id: id,
        Twice: autoNumber * 20,
        Made: now(),
      })
      expect(await world.recordOf(table, id)).toEqual(fields)
    }
  })

  test('[CALC-18] follow when a record was changed, and by whom', async () => {
    await world.addField(table, { type: 'lastModifiedTime', name: 'When' })
    await world.addField(table, { type: 'lastModifiedBy', name: 'Who' })
    const { id: nameId } = await world.fieldOf(table, 'Name')
    await world.addField(table, {
      type: 'lastModifiedTime',
      name: 'Named',
      options: { trackedFieldIds: [nameId] },
    })
    await addFormula('Changed', 'LAST_MODIFIED_TIME()')
    await addFormula('Same', 'DATESTR({When}) & TIMESTR({When})')
    await addFormula('By', '{Who} & "!"')
    await addFormula('Is named', '{Named} & ""', { timeZone: 'UTC' })
    const [ann, bob] = table.recordIds
    world.clock.advance(60_000)
    const person = await world.newCollaborator('Cid', 'editor')
    const input = { tableId: table.id, recordId: ann ?? '' }
    const answer = await person.api.records.updateRecord({
      ...input,
      record: { fields: { Count: 9 } },
    })
    const [day, time] = [now().slice(0, 10), now().slice(11, 19)]
    expect(answer.fields).toMatchObject({ Changed: now(), Same: day + time, By: 'cid!' })
    expect(answer.fields['Is named'] ?? '').toBe('')
    expect(await world.recordOf(table, ann)).toEqual(answer.fields)
    const later = await world.change(table, ann, { Name: 'amy' })
    expect(later).toMatchObject({ By: 'ada!', 'Is named': day })
    const { Changed } = await world.recordOf(table, bob)
    expect(Changed ?? null).not.toBe(now())
  })

  test('[CALC-90] follow formulas that read when a record was changed, through links too', async () => {
    await addFormula('Changed', 'LAST_MODIFIED_TIME()')
    await addFormula('Next', 'DATE_ADD({Changed}, 1, "day")')
    await addFormula('Text', 'DATETIME_FORMAT({Next}, "YYYY-MM-DD HH:mm:ss")')
    const { id: lookupFieldId } = await world.fieldOf(table, 'Text')
    const other = await world.makeNames('Others', 'x')
    const link = { relationship: 'manyOne', foreignTableId: table.id }
    const { id: linkFieldId } = await world.addField(other, {
      type: 'link',
      name: 'L',
      options: link,
    })
    const lookupOptions = { linkFieldId, foreignTableId: table.id, lookupFieldId }
    await world.addField(other, { type: 'formula', name: 'Seen', isLookup: true, lookupOptions })
    const [ann] = table.recordIds
    await world.change(other, other.recordIds[0], { L: { id: ann } })
    world.clock.advance(60_000)

    const cells = await world.change(table, ann, { Count: 9 })
    const next = new Date(world.clock.now() + 86_400_000).toISOString()
    const text = next.slice(0, 19).replace('T', ' ')
    expect(cells).toMatchObject({ Changed: now(), Next: next, Text: text })
    expect(await world.recordOf(table, ann)).toEqual(cells)
    expect(await world.cellsOf(other, 'Seen')).toEqual([text])
  })

  test('[CALC-18] read the clocks of their time zone', async () => {
    await world.addField(table, { type: 'date', name: 'Day' })
    for (const [name, timeZone] of [
      ['Here', 'UTC'],
      ['There', 'Asia/Tokyo'],
    ] as const) {
      await addFormula(name, 'DAY({Day})', { timeZone })
    }
    const cells = await world.change(table, table.recordIds[0], { Day: '2024-03-05T20:00:00.000Z' })
    expect(cells).toMatchObject({ Here: 5, There: 6 })
  })

  test('[CALC-20] answer false and zero, and leave out what is empty', async () => {
    await addFormula('Is large', 'IF({Count} > 1, TRUE, FALSE)')
    await addFormula('Zero', '{Count} * 0')
    await addFormula('Nothing', 'BLANK()')
    await addFormula('Void', '1 / ({Count} - 1)')
    const [ann, bob] = table.recordIds
    expect(await world.recordOf(table, ann)).toEqual({
      Name: 'ann',
      Count: 1,
      'Is large': false,
      Zero: 0,
    })
    expect(await world.recordOf(table, bob)).toMatchObject({ 'Is large': true, Void: 1 })
    expect(await world.textsOf(table, 'Is large')).toEqual(['false', 'true'])
  })

  test('[CALC-12] [CALC-18] are worked out from defaults, and as the primary field', async () => {
    const made = await world.makeTable(
      'Made',
      [
        { type: 'formula', name: 'Label', options: { expression: '{Size} & {Kind}' } },
        { type: 'number', name: 'Size', options: { defaultValue: 7 } },
        {
          type: 'singleSelect',
          name: 'Kind',
          options: { choices: [{ name: 'a' }], defaultValue: 'a' },
        },
      ],
      [{}, { Size: null }],
    )
    const { records } = await world.api.records.listRecords({ tableId: made.id })
    expect(records.map(({ name, fields }) => [name, fields.Label])).toEqual([
      ['7a', '7a'],
      ['a', 'a'],
    ])
    const options = { relationship: 'manyOne', foreignTableId: made.id }
    await world.addField(table, { type: 'link', name: 'Link', options })
    await world.change(table, table.recordIds[0], { Link: made.recordIds[0] })
    await world.change(made, made.recordIds[0], { Kind: 'new' }, true)
    expect((await world.cellsOf(table, 'Link'))[0]).toMatchObject({ title: '7new' })
  })
})

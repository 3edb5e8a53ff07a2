import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

type Ranges = [number, number][]

describeOnEveryStorage('pasting', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let tableId: string

  beforeEach(async () => {
    table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'number', name: 'Pages' },
        { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'novel' }] } },
      ],
      [
        { Title: 'a', Pages: 1 },
        { Title: 'b', Pages: 2 },
        { Title: 'c', Pages: 3 },
      ],
    )
    tableId = table.id
  })
  afterEach(() => world.clear())

  const api = () => world.api.selections
  const at = (column: number, row: number, right = 0, down = 0): Ranges => [
    [column, row],
    [column + right, row + down],
  ]
  const paste = async (ranges: Ranges, content: string | unknown[][], more: object = {}) =>
    (await api().pasteCells({ tableId, ranges, content, ...more } as never)).ranges
  const rows = async () => {
    const { records } = await world.api.records.listRecords({ tableId })
    return records.map(({ fields }) => fields)
  }
  const cells = (name: string) => world.cellsOf(table, name)

  test('[LINK-70] leaves links as they are where their text is copied and pasted back', async () => {
    const kinds = await world.makeNames('Kinds', 'same', 'same', 'other')
    const options = { relationship: 'manyMany', foreignTableId: kinds.id, isOneWay: true }
    await world.addField(table, { type: 'link', name: 'Of', options })
    const [, second, other] = kinds.recordIds
    await world.change(table, table.recordIds[0], { Of: [second, other] })
    await world.change(table, table.recordIds[1], { Of: [second] })
    const before = await cells('Of')
    const { content } = await api().copyCells({ tableId, ranges: at(3, 0, 0, 2) } as never)
    expect(content).toBe('same, other\nsame\n""')
    await paste(at(3, 0), content)
    expect(await cells('Of')).toEqual(before)
  })

  test('[RECORD-210] leaves dates as they are whose text is copied and pasted back, or sent with typecast', async () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' }
    await world.addField(table, { type: 'date', name: 'At', options: { formatting } })
    const both = ['2024-10-27T00:30:00.000Z', '2024-10-27T01:30:00.000Z']
    const dates = async () => (await cells('At')).slice(0, 2)
    for (const [index, At] of both.entries()) {
      await world.change(table, table.recordIds[index], { At })
    }
    const { content } = await api().copyCells({ tableId, ranges: at(3, 0, 0, 1) } as never)
    expect(content).toBe('2024-10-27 02:30\n2024-10-27 02:30')
    await paste(at(3, 0), content)
    expect(await dates()).toEqual(both)
    const records = table.recordIds.slice(0, 2).map((id) => ({
      ...{ id, fields: { At: '2024-10-27 02:30' } },
    }))
    await world.api.records.updateRecords({ tableId, records, typecast: true })
    expect(await dates()).toEqual(both)
  })

  test('[SELECTION-8] writes content once, or as often as it fits into the range', async () => {
    expect(await paste(at(0, 0), 'x\t7\ny\t8')).toEqual(at(0, 0, 1, 1))
    expect([await cells('Title'), await cells('Pages')]).toEqual([
      ['x', 'y', 'c'],
      [7, 8, 3],
    ])
    expect(await paste(at(0, 0, 1, 2), '5')).toEqual(at(0, 0, 1, 2))
    expect([await cells('Title'), await cells('Pages')]).toEqual([
      ['5', '5', '5'],
      [5, 5, 5],
    ])
    // Three rows take one row thrice, and two rows once; a single column takes two columns.
    expect(await paste(at(0, 0, 0, 2), 'p\t1')).toEqual(at(0, 0, 1, 2))
    expect(await paste(at(0, 0, 0, 2), 'q\nr')).toEqual(at(0, 0, 0, 1))
    expect([await cells('Title'), await cells('Pages')]).toEqual([
      ['q', 'r', 'p'],
      [1, 1, 1],
    ])
    expect(await paste([[1, 1]], '9', { type: 'columns' })).toEqual(at(1, 0, 0, 2))
    expect(await paste([[1, 1]], 'z', { type: 'rows' })).toEqual(at(0, 1, 2, 0))
    expect(await rows()).toMatchObject([{ Pages: 9 }, { Title: 'z', Kind: 'z' }, { Pages: 9 }])
    const two: Ranges = [
      [0, 0],
      [2, 2],
    ]
    for (const type of ['rows', 'columns']) {
      await expect(paste(two, 'x', { type })).rejects.toMatchObject(invalidAt('ranges'))
    }
  })

  test('[SELECTION-9] reads values leniently', async () => {
    await paste(at(0, 0), 'x\tnone\tstory\r\ny\t1.5\tnovel\r\n\t\t\r\n')
    expect(await rows()).toEqual([
      { Title: 'x', Kind: 'story' },
      { Title: 'y', Pages: 1.5, Kind: 'novel' },
      {},
    ])
    await paste(at(0, 0), [['z', '2', { name: 'novel' }], [7, 3], [true]])
    expect(await rows()).toEqual([
      { Title: 'z', Pages: 2, Kind: 'novel' },
      { Title: '7', Pages: 3 },
      { Title: 'true' },
    ])
    await paste(at(0, 0), '')
    await paste(at(0, 1), [])
    expect(await cells('Title')).toEqual([null, null, 'true'])
  })

  test('[SELECTION-9] takes files by the text that is copied', async () => {
    await world.addField(table, { type: 'attachment', name: 'Files' })
    const file = {
      spaceId: world.ada.spaceId,
      path: 'table/one',
      size: 1,
      mimetype: 'text/plain',
      width: null,
      height: null,
      createdBy: world.ada.userId,
      createdTime: new Date(world.clock.now()).toISOString(),
      attachedTime: new Date(world.clock.now()).toISOString(),
    }
    await world.engine.store.write(async (tx) => {
      await tx.attachments.insert({ ...file, token: 'one' })
      await tx.attachments.insert({ ...file, token: 'two' })
    })
    const names = ['a (b), c.txt', 'one (one)']
    const files = [
      { name: names[0], token: 'one' },
      { name: names[1], token: 'two' },
    ]
    await world.change(table, table.recordIds[0], { Files: files })
    const { content } = await api().copyCells({ tableId, ranges: at(3, 0) })
    await paste(at(3, 1), `${content}\n${content}, lost (lost)\nnothing`)
    const found = (await cells('Files')) as ({ name: string; token: string }[] | null)[]
    const named = found.map((some) => some?.map(({ name, token }) => `${name} ${token}`))
    const both = files.map(({ name, token }) => `${name} ${token}`)
    expect(named).toEqual([both, both, both, undefined])
  })

  test('[SELECTION-10] passes over columns that nobody fills in', async () => {
    await world.addField(table, {
      type: 'formula',
      name: 'Twice',
      options: { expression: '{Pages} * 2' },
    })
    await world.addField(table, { type: 'button', name: 'Press' })
    await world.addField(table, { type: 'autoNumber', name: 'Number' })
    await world.press(table, table.recordIds[0], 'Press', 2)
    expect(await paste(at(1, 0), '4\tx\t5\t\t9')).toEqual(at(1, 0, 4, 0))
    expect((await rows())[0]).toEqual({
      Title: 'a',
      Pages: 4,
      Kind: 'x',
      Twice: 8,
      Press: { count: 2 },
      Number: 1,
    })
  })

  test('[SELECTION-11] adds records for what reaches beyond the last row', async () => {
    await world.convert(table, 'Pages', { type: 'number', options: { defaultValue: 1 } })
    expect(await paste(at(0, 2), 'c2\nd\ne')).toEqual(at(0, 2, 0, 2))
    expect(await paste(at(0, 5), 'f\tx')).toEqual(at(0, 5, 1, 0))
    expect(await rows()).toEqual([
      { Title: 'a', Pages: 1 },
      { Title: 'b', Pages: 2 },
      { Title: 'c2', Pages: 3 },
      { Title: 'd', Pages: 1 },
      { Title: 'e', Pages: 1 },
      { Title: 'f' },
    ])
    await world.remove(
      table,
      ...(await world.api.records.listRecords({ tableId })).records.map(({ id }) => id),
    )
    expect(await paste(at(0, 0), 'first')).toEqual(at(0, 0))
    expect(await paste([[0, 0]], 'all', { type: 'columns' })).toEqual(at(0, 0))
    expect(await cells('Title')).toEqual(['all'])
  })

  test('[SELECTION-4] refuses to paste far behind the last row or column', async () => {
    for (const ranges of [
      at(0, 4),
      at(4, 0),
      at(0, 3, 0, 1),
      at(0, 2, 0, 1),
      at(2, 0, 1, 0),
      at(0, 9, 0, 5),
    ]) {
      await world.expectNoTrace(() => paste(ranges, 'x'), invalidAt('ranges'))
    }
  })

  test('[SELECTION-12] adds fields for what reaches beyond the last column', async () => {
    expect(await paste(at(2, 0), 'novel\tone\t"two\nlines"')).toEqual(at(2, 0, 2, 0))
    const fields = await world.api.fields.listFields({ tableId })
    expect(fields.slice(3).map(({ name, type }) => [name, type])).toEqual([
      ['Label', 'singleLineText'],
      ['Notes', 'longText'],
    ])
    expect((await rows())[0]).toMatchObject({ Kind: 'novel', Label: 'one', Notes: 'two\nlines' })
  })

  test('[SELECTION-12] adds fields like those of the header', async () => {
    const source = await world.makeNames('Source', 'x', 'y')
    const link = { relationship: 'manyOne', foreignTableId: source.id, isOneWay: true }
    const from = await world.makeTable('From', [{ type: 'singleLineText', name: 'Title' }], [{}])
    for (const definition of [
      { type: 'singleSelect', name: 'Kind', options: { choices: [{ name: 'old', color: 'red' }] } },
      { type: 'rating', name: 'Stars', description: 'of five' },
      { type: 'link', name: 'Thing', options: link },
      { type: 'formula', name: 'Day', options: { expression: 'DATETIME_PARSE("2026-01-31")' } },
      { type: 'formula', name: 'Half', options: { expression: '1 / 2' } },
      { type: 'formula', name: 'Is', options: { expression: '1 = 1' } },
      { type: 'formula', name: 'Text', options: { expression: '"te" & "xt"' } },
      { type: 'createdBy', name: 'By' },
      { type: 'autoNumber', name: 'No' },
      { type: 'createdTime', name: 'Made' },
      { type: 'button', name: 'Press' },
    ]) {
      await world.addField(from, definition)
    }
    const fieldId = (await world.fieldOf(source, 'Count')).id
    const linkFieldId = (await world.fieldOf(from, 'Thing')).id
    const lookupOptions = { foreignTableId: source.id, lookupFieldId: fieldId, linkFieldId }
    await world.addField(from, { type: 'number', name: 'Counted', isLookup: true, lookupOptions })
    const row = { Kind: 'old', Stars: 4, Thing: { id: source.recordIds[1] } }
    await world.change(from, from.recordIds[0], row)
    await world.press(from, from.recordIds[0], 'Press', 1)
    const copied = await api().copyCells({ tableId: from.id, type: 'rows', ranges: [[0, 0]] })
    const { content, header } = copied
    await paste(at(0, 0), content, { header, projection: ['Title'] })
    const fields = await world.api.fields.listFields({ tableId })
    expect(fields.slice(3).map(({ name, type }) => [name, type])).toEqual([
      ['Kind 2', 'singleSelect'],
      ['Stars', 'rating'],
      ['Thing', 'singleLineText'],
      ['Day', 'date'],
      ['Half', 'number'],
      ['Is', 'checkbox'],
      ['Text', 'singleLineText'],
      ['By', 'user'],
      ['No', 'number'],
      ['Made', 'date'],
      ['Press', 'singleLineText'],
      ['Counted', 'number'],
    ])
    expect(fields[4]).toMatchObject({ description: 'of five' })
    expect(fields[3]?.options).toMatchObject({ choices: [{ name: 'old', color: 'red' }] })
    const pasted = await api().copyCells({ tableId, type: 'rows', ranges: [[0, 0]] })
    expect(pasted.content.split('\t').slice(3)).toEqual(content.split('\t').slice(1))
  })

  test('[SELECTION-12] refuses a header whose options are none', async () => {
    const header = [{ type: 'singleLineText' }, { type: 'rating', options: { max: 99 } }]
    const refused = invalidAt('header', 1, 'options', 'max')
    await world.expectNoTrace(() => paste(at(2, 0), 'a\tb', { header }), refused)
    const options = { formatting: { type: 'decimal', precision: 99 } }
    const computed = { type: 'formula', cellValueType: 'number', options }
    const misled = [{ type: 'number' }, computed]
    await expect(paste(at(2, 0), 'a\tb', { header: misled })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[SELECTION-12] refuses to add fields that the view would not show', async () => {
    const gallery = await world.api.views.createView({ tableId, type: 'gallery' })
    const wide = () => paste(at(0, 0), 'a\tb', { viewId: gallery.id })
    await world.expectNoTrace(wide, invalidAt('ranges'))
    const grid = await world.api.views.createView({ tableId, type: 'grid', isLocked: true })
    await paste(at(2, 0), 'a\tb', { viewId: grid.id })
    const shown = await api().copyCells({
      tableId,
      viewId: grid.id,
      type: 'rows',
      ranges: [[0, 0]],
    })
    expect(shown.content).toBe('a\t1.00\ta\tb')
  })

  test('[SELECTION-11] [SELECTION-12] refuses who may not add records or fields', async () => {
    const editor = await world.newCollaborator('Grace', 'editor')
    const pasteAs = (person: typeof editor, ranges: Ranges, content: string) =>
      person.api.selections.pasteCells({ tableId, ranges, content })
    const refused = { code: 'restricted_resource' }
    await world.expectNoTrace(() => pasteAs(editor, at(2, 0), 'a\tb'), refused)
    expect((await pasteAs(editor, at(2, 2), 'a\nb')).ranges).toEqual(at(2, 2, 0, 1))
    const scopes = ['record|update', 'record|read'] as const
    const actor = {
      kind: 'token',
      userId: world.ada.userId,
      scopes: new Set(scopes),
      spaceIds: null,
      baseIds: null,
    } as never
    const byToken = (ranges: Ranges, content: string) =>
      world.engine.call('selections.pasteCells', actor, { tableId, ranges, content })
    await world.expectNoTrace(() => byToken(at(0, 3), 'a\nb'), refused)
    await byToken(at(0, 3), 'a')
  })

  test('[SELECTION-13] changes nothing where a value is refused', async () => {
    await world.addField(table, { type: 'number', name: 'Code', unique: true })
    await world.change(table, table.recordIds[2], { Code: 7 })
    await world.expectNoTrace(
      () => paste(at(2, 0), 'new\t1\textra\nother\t7\textra'),
      invalidAt('content', 1, 'fields', 'Code'),
    )
    await world.expectNoTrace(
      () => paste(at(3, 2), '1\n2\n1'),
      invalidAt('content', 2, 'fields', 'Code'),
    )
    // What a row lets go another one may have, a new one too.
    await paste(at(3, 0), '7\n8\n9\n10')
    await paste(at(3, 1), '9\n8\n7', {
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: 'Code', operator: 'isGreater', value: 7 }],
      },
    }).catch(() => {})
    await paste(at(3, 2), '11\n12\n9')
    expect(await cells('Code')).toEqual([7, 8, 11, 12, 9])
  })

  test('[SELECTION-13] adds a choice once for the rows that there are and those that are added', async () => {
    await paste(at(2, 1), 'essay\nessay\nessay\nletter')
    expect(await cells('Kind')).toEqual([null, 'essay', 'essay', 'essay', 'letter'])
    const { options } = await world.fieldOf(table, 'Kind')
    expect((options.choices as { name: string }[]).map(({ name }) => name)).toEqual([
      'novel',
      'essay',
      'letter',
    ])
  })

  test('[SELECTION-14] previews what would be there, and changes nothing', async () => {
    const link = { relationship: 'manyMany', foreignTableId: tableId, isOneWay: true }
    await world.addField(table, { type: 'link', name: 'Others', options: link })
    await world.addField(table, { type: 'user', name: 'By' })
    await world.addField(table, { type: 'createdTime', name: 'Made' })
    const { userId } = world.ada
    const content = `7\tessay\tb, a\t${userId}\tx\tbeyond\nx\t\tnobody`
    const preview = () =>
      api().previewPaste({ tableId, fieldKeyType: 'name', ranges: at(1, 2), content })
    const [a, b] = table.recordIds
    let fields: unknown
    await world.expectNoTrace(
      async () => {
        fields = await preview()
        throw new Error('seen')
      },
      { message: 'seen' },
    )
    expect(fields).toEqual([
      {
        fields: {
          Pages: 7,
          Kind: 'essay',
          Others: [
            { id: b, title: 'b' },
            { id: a, title: 'a' },
          ],
          By: expect.objectContaining({ id: userId, email: expect.any(String) }),
        },
      },
      { fields: {} },
    ])
    const [one] = await api().previewPaste({ tableId, ranges: at(0, 0, 0, 1), content: 'x' })
    expect(one).toEqual({ fields: { [table.primaryId]: 'x' } })
    expect(
      await api().previewPaste({ tableId, ranges: at(0, 0, 0, 1), content: 'x' }),
    ).toHaveLength(2)
    for (const type of ['rows', 'columns'] as const) {
      const several = {
        tableId,
        type,
        ranges: [
          [0, 0],
          [2, 2],
        ] as [number, number][],
        content: 'x',
      }
      await expect(api().pasteCells(several)).rejects.toMatchObject(invalidAt('ranges'))
      await expect(api().previewPaste(several)).rejects.toMatchObject(invalidAt('ranges'))
    }
    const rowsOf = await api().previewPaste({
      tableId,
      type: 'rows',
      ranges: [[0, 1]],
      content: 'x',
    })
    expect(rowsOf).toHaveLength(2)
  })

  test('[SELECTION-18] previews all of it, or nothing', async () => {
    const preview = (options: object) =>
      api().previewPaste({ tableId, ranges: at(0, 0), content: 'long text\n'.repeat(9) }, options)
    expect(await preview({ answerLength: 2_000 })).toHaveLength(9)
    await expect(preview({ answerLength: 50 })).rejects.toThrow('longer than the call allowed')
    await expect(preview({ answerLength: 50, mayEndSooner: true })).rejects.toMatchObject({
      code: 'service_busy',
    })
  })

  test('[SELECTION-17] pastes so many rows and cells at most', async () => {
    const refusedIn = async (
      member: string,
      ranges: Ranges,
      content: string | unknown[][],
      more = {},
    ) => {
      await world.expectNoTrace(() => paste(ranges, content, more), invalidAt(member))
    }
    await withLimits({ selectedRows: 3, selectedCells: 6, fieldsPerTable: 5 }, async () => {
      await paste(at(0, 0), 'a\tb\nc\td\ne\tf')
      await refusedIn('content', at(0, 0), 'a\nb\nc\nd')
      await refusedIn('content', at(0, 0), [['a'], ['b'], ['c'], ['d']])
      await refusedIn('content', at(0, 0), 'a\tb\tc\nd\te\tf\n\t\t')
      await refusedIn('content', at(0, 0), 'a\tb\tc\td\te\tf')
      await refusedIn('content', at(2, 0), 'a\tb\tc\td')
      await refusedIn('ranges', at(0, 0, 0, 3), 'a')
      await refusedIn('ranges', at(0, 0, 2, 2), 'a')
      await world.add(table, {})
      await refusedIn('ranges', [[0, 0]], 'a', { type: 'columns' })
    })
    const tooLong = 'x'.repeat(2_000_001)
    await expect(paste(at(0, 0), tooLong)).rejects.toMatchObject(invalidAt('content'))
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

type Ranges = [number, number][]

describeOnEveryStorage('selections', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let tableId: string

  beforeEach(async () => {
    table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        {
          type: 'number',
          name: 'Pages',
          options: { formatting: { type: 'decimal', precision: 0 } },
        },
        { type: 'checkbox', name: 'Read' },
        { type: 'longText', name: 'Notes' },
      ],
      [
        { Title: 'Emma', Pages: 474, Read: true },
        { Title: 'Persuasion', Pages: 249, Notes: 'two\nlines' },
        { Title: 'Sanditon', Notes: '"tab"\there' },
        { Pages: 7 },
      ],
    )
    tableId = table.id
  })
  afterEach(() => world.clear())

  const api = () => world.api.selections
  const copy = async (ranges: Ranges, more: object = {}) =>
    (await api().copyCells({ tableId, ranges, ...more })).content
  const ids = (ranges: Ranges, more: object = {}) =>
    api().findSelectedIds({ tableId, ranges, returnType: 'all', ...more })
  const namesOf = async (fieldIds: readonly string[] = []) => {
    const fields = await world.api.fields.listFields({ tableId })
    return fieldIds.map((id) => fields.find((field) => field.id === id)?.name)
  }
  const numbersOf = (recordIds: readonly string[] = []) =>
    recordIds.map((id) => table.recordIds.indexOf(id))
  const field = (name: string) => world.fieldOf(table, name)

  test('[SELECTION-3] [SELECTION-5] selects what lies between two cells', async () => {
    const { recordIds, fieldIds } = await ids([
      [1, 1],
      [2, 3],
    ])
    expect(numbersOf(recordIds)).toEqual([1, 2, 3])
    expect(await namesOf(fieldIds)).toEqual(['Pages', 'Read'])
    const one: Ranges = [
      [0, 0],
      [0, 0],
    ]
    expect(await ids(one, { returnType: 'recordId' })).toEqual({ recordIds: [table.recordIds[0]] })
    expect(await ids(one, { returnType: 'fieldId' })).toEqual({ fieldIds: [table.primaryId] })
  })

  test('[SELECTION-3] selects whole rows and columns, each once, as they are shown', async () => {
    const rows = await ids(
      [
        [3, 3],
        [0, 1],
        [1, 1],
      ],
      { type: 'rows' },
    )
    expect(numbersOf(rows.recordIds)).toEqual([0, 1, 3])
    expect(rows.fieldIds).toHaveLength(4)
    const columns = await ids(
      [
        [2, 3],
        [0, 0],
        [3, 3],
      ],
      { type: 'columns' },
    )
    expect(numbersOf(columns.recordIds)).toEqual([0, 1, 2, 3])
    expect(await namesOf(columns.fieldIds)).toEqual(['Title', 'Read', 'Notes'])
  })

  test('[SELECTION-1] counts the columns that a view shows, in its order', async () => {
    const [title, pages, read] = await Promise.all(['Title', 'Pages', 'Read'].map(field))
    const { id: viewId } = await world.api.views.createView({
      tableId,
      type: 'grid',
      columnMeta: {
        [read?.id ?? '']: { order: 0 },
        [title?.id ?? '']: { order: 1 },
        [pages?.id ?? '']: { hidden: true, order: 2 },
      },
    })
    const all: Ranges = [[0, 2]]
    const shown = await ids(all, { type: 'columns', viewId })
    expect(await namesOf(shown.fieldIds)).toEqual(['Read', 'Title', 'Notes'])
    const projection = ['Notes', title?.id ?? '', 'Pages']
    const some = await ids([[0, 1]], { type: 'columns', viewId, projection })
    expect(await namesOf(some.fieldIds)).toEqual(['Title', 'Notes'])
    await expect(
      ids(all, { type: 'columns', projection: ['Title', 'Gone'] }),
    ).rejects.toMatchObject(invalidAt('projection', 1))
  })

  test('[SELECTION-2] counts the rows that a list has, in its order', async () => {
    const query = {
      filter: { conjunction: 'and', filterSet: [{ fieldId: 'Pages', operator: 'isNotEmpty' }] },
      orderBy: [{ fieldId: 'Pages', order: 'desc' }],
    } as const
    const { recordIds } = await ids([[1, 2]], { type: 'rows', ...query })
    expect(numbersOf(recordIds)).toEqual([1, 3])
    const { id: viewId } = await world.api.views.createView({
      tableId,
      type: 'grid',
      sort: { sortObjs: [{ fieldId: table.primaryId, order: 'desc' }] },
    })
    const ofView = await ids([[0, 1]], { type: 'rows', viewId })
    expect(numbersOf(ofView.recordIds)).toEqual([2, 1])
    const plain = await ids([[0, 1]], { type: 'rows', viewId, ignoreViewQuery: true })
    expect(numbersOf(plain.recordIds)).toEqual([0, 1])
  })

  test('[SELECTION-2] counts the rows of a view in the order that people gave them', async () => {
    const { id: viewId } = await world.api.views.createView({ tableId, type: 'grid' })
    const [first = '', , , last = ''] = table.recordIds
    await world.api.views.moveRows({
      tableId,
      viewId,
      recordIds: [last],
      anchorId: first,
      position: 'before',
    })
    const { recordIds } = await ids([[0, 1]], { type: 'rows', viewId })
    expect(numbersOf(recordIds)).toEqual([3, 0])
    await api().pasteCells({
      tableId,
      viewId,
      ranges: [
        [0, 0],
        [0, 0],
      ],
      content: 'x\ny\n',
    })
    expect(await world.cellsOf(table, 'Title')).toEqual(['y', 'Persuasion', 'Sanditon', 'x'])
  })

  const wrong: readonly (readonly [string, object])[] = [
    [
      'a negative row',
      {
        ranges: [
          [0, -1],
          [0, 0],
        ],
      },
    ],
    [
      'a row that is no whole number',
      {
        ranges: [
          [0, 0.5],
          [0, 1],
        ],
      },
    ],
    [
      'a row beyond all',
      {
        ranges: [
          [0, 0],
          [0, 2_000_000],
        ],
      },
    ],
    ['one cell', { ranges: [[0, 0]] }],
    [
      'three cells',
      {
        ranges: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
      },
    ],
    ['no cell', { ranges: [] }],
    ['cells of one number', { ranges: [[0], [1]] }],
    [
      'columns backwards',
      {
        ranges: [
          [1, 0],
          [0, 1],
        ],
      },
    ],
    [
      'rows backwards',
      {
        ranges: [
          [0, 1],
          [1, 0],
        ],
      },
    ],
    [
      'a column behind the last',
      {
        ranges: [
          [0, 0],
          [4, 0],
        ],
      },
    ],
    [
      'a row behind the last',
      {
        ranges: [
          [0, 0],
          [0, 4],
        ],
      },
    ],
    [
      'rows far behind the last',
      {
        ranges: [
          [0, 40],
          [0, 41],
        ],
      },
    ],
    ['a range of rows backwards', { type: 'rows', ranges: [[2, 1]] }],
    [
      'a range of rows behind the last',
      {
        type: 'rows',
        ranges: [
          [0, 0],
          [4, 5],
        ],
      },
    ],
    ['a range of columns behind the last', { type: 'columns', ranges: [[3, 4]] }],
    [
      'another type',
      {
        type: 'cells',
        ranges: [
          [0, 0],
          [0, 0],
        ],
      },
    ],
  ]

  test.each(wrong)('[SELECTION-4] refuses %s', async (_, sent) => {
    const input = { tableId, ...sent } as never
    const { hash } = await world.api.bases.verifyBase({ baseId: world.baseId })
    const refused = { code: 'validation_error' }
    await expect(
      api().findSelectedIds({ ...(input as object), returnType: 'all' } as never),
    ).rejects.toMatchObject(refused)
    await expect(api().copyCells(input)).rejects.toMatchObject(refused)
    await expect(api().clearCells(input)).rejects.toMatchObject(refused)
    await expect(api().deleteSelectedRecords(input)).rejects.toMatchObject(refused)
    expect((await world.api.bases.verifyBase({ baseId: world.baseId })).hash).toBe(hash)
  })

  test.each(['rows', 'columns'] as const)(
    '[SELECTION-4] refuses more ranges of %s than a person marks',
    async (type) => {
      expect(limits.selectedRanges).toBe(100)
      const most: Ranges = Array.from({ length: limits.selectedRanges }, () => [1, 1])
      const { recordIds, fieldIds } = await ids(most, { type })
      expect([recordIds?.length, fieldIds?.length]).toEqual(type === 'rows' ? [1, 4] : [4, 1])
      const input = { tableId, type, ranges: [...most, [1, 1]] as Ranges }
      for (const select of [
        () => api().findSelectedIds({ ...input, returnType: 'all' }),
        () => api().copyCells(input),
        () => api().clearCells(input),
        () => api().deleteSelectedRecords(input),
      ]) {
        await world.expectNoTrace(select, invalidAt('ranges'))
      }
    },
  )

  test('[SELECTION-7] copies cells as people read them, with their fields', async () => {
    const { content, header } = await api().copyCells({
      tableId,
      ranges: [
        [0, 0],
        [3, 3],
      ],
    })
    expect(content).toBe(
      'Emma\t474\ttrue\t\nPersuasion\t249\t\t"two\nlines"\nSanditon\t\t\t"""tab""\there"\n\t7\t\t',
    )
    expect(header).toEqual(await world.api.fields.listFields({ tableId }))
    expect(await copy([[0, 0]], { type: 'rows', projection: ['Pages', 'Title'] })).toBe('Emma\t474')
    const none = {
      filter: { conjunction: 'and', filterSet: [{ fieldId: 'Title', operator: 'is', value: 'x' }] },
    }
    expect(await copy([[0, 1]], { type: 'columns', ...none })).toBe('')
  })

  test('[SELECTION-15] [SELECTION-10] empties the cells that people fill in', async () => {
    await world.addField(table, {
      type: 'formula',
      name: 'Twice',
      options: { expression: '{Pages} * 2' },
    })
    await world.addField(table, { type: 'button', name: 'Press' })
    await world.press(table, table.recordIds[0], 'Press', 2)
    await api().clearCells({
      tableId,
      ranges: [
        [1, 0],
        [5, 1],
      ],
    })
    expect(await world.recordOf(table, table.recordIds[0])).toEqual({
      Title: 'Emma',
      Press: { count: 2 },
      Twice: 0,
    })
    expect(await world.recordOf(table, table.recordIds[1])).toEqual({
      Title: 'Persuasion',
      Twice: 0,
    })
    expect(await world.cellsOf(table, 'Pages')).toEqual([null, null, null, 7])
  })

  test('[SELECTION-15] empties nothing where a cell may not be empty', async () => {
    const options = { defaultValue: 'x' }
    await world.addField(table, { type: 'singleLineText', name: 'Must', notNull: true, options })
    const clear = api().clearCells({ tableId, type: 'rows', ranges: [[0, 1]] })
    await expect(clear).rejects.toMatchObject({ code: 'validation_error' })
    expect(await world.cellsOf(table, 'Title')).toEqual(['Emma', 'Persuasion', 'Sanditon', null])
  })

  test('[SELECTION-15] says once which field must not be emptied, as the caller names fields', async () => {
    const options = { defaultValue: 'x' }
    const dbFieldName = 'must_have'
    await world.addField(table, {
      ...{ type: 'singleLineText', name: 'Must', notNull: true, options, dbFieldName },
    })
    const rows = { tableId, type: 'rows', ranges: [[0, 1]] as Ranges } as const
    for (const [key, fieldKeyType] of [
      ['Must', undefined],
      ['Must', 'name'],
      [(await field('Must')).id, 'id'],
      [dbFieldName, 'dbFieldName'],
    ] as const) {
      const clear = api().clearCells({ ...rows, ...(fieldKeyType && { fieldKeyType }) })
      await expect(clear).rejects.toMatchObject(invalidAt('ranges', 'fields', key))
    }
  })

  test('[SELECTION-16] deletes the selected records in one operation', async () => {
    const events = await world.heard(async () => {
      const { ids } = await api().deleteSelectedRecords({
        tableId,
        orderBy: [{ fieldId: 'Pages', order: 'desc' }],
        type: 'rows',
        ranges: [[1, 2]],
      })
      expect(numbersOf(ids)).toEqual([1, 3])
    })
    const recordIds = [table.recordIds[1], table.recordIds[3]]
    const { userId } = world.ada
    expect(events).toEqual([{ name: 'record.deleted', userId, tableId, recordIds }])
    expect(await world.cellsOf(table, 'Title')).toEqual(['Emma', 'Sanditon'])
  })

  test('[SELECTION-17] ends at so many rows and cells', async () => {
    const rows = (first: number, last: number) =>
      ({ tableId, type: 'rows', ranges: [[first, last]] }) as const
    const refused = invalidAt('ranges')
    await withLimits({ selectedRows: 3, selectedRowsDeleted: 2, selectedCells: 8 }, async () => {
      expect((await ids([[0, 2]], { type: 'rows' })).recordIds).toHaveLength(3)
      await expect(ids([[0, 3]], { type: 'rows' })).rejects.toMatchObject(refused)
      await expect(
        ids(
          [
            [0, 0],
            [3, 3],
          ],
          { type: 'rows' },
        ),
      ).rejects.toMatchObject(refused)
      await expect(ids([[0, 0]], { type: 'columns' })).rejects.toMatchObject(refused)
      expect(
        (await ids([[0, 0]], { type: 'columns', returnType: 'fieldId' })).fieldIds,
      ).toHaveLength(1)
      expect(await copy([[0, 1]], { type: 'rows' })).not.toBe('')
      await expect(copy([[0, 2]], { type: 'rows' })).rejects.toMatchObject(refused)
      await expect(api().clearCells({ ...rows(0, 2) } as never)).rejects.toMatchObject(refused)
      await expect(api().deleteSelectedRecords({ ...rows(0, 2) } as never)).rejects.toMatchObject(
        refused,
      )
      expect((await api().deleteSelectedRecords({ ...rows(1, 2) } as never)).ids).toHaveLength(2)
    })
  })

  test('[SELECTION-17] [SELECTION-18] copies all of a text, or nothing', async () => {
    const copied = (options: object) =>
      api().copyCells({ tableId, type: 'rows', ranges: [[0, 3]] }, options)
    await expect(copied({ answerLength: 20 })).rejects.toThrow('longer than the call allowed')
    await expect(copied({ answerLength: 20, mayEndSooner: true })).rejects.toMatchObject({
      code: 'service_busy',
    })
    expect((await copied({ answerLength: 200 })).content).toContain('Sanditon')
    await withLimits({ answerBytes: 20 }, async () => {
      await expect(copied({})).rejects.toMatchObject(invalidAt('ranges'))
    })
    await withLimits({ copiedLength: 20 }, async () => {
      await expect(copied({})).rejects.toMatchObject(invalidAt('ranges'))
    })
    await withLimits({ recordsLength: 20 }, async () => {
      await expect(copied({})).rejects.toMatchObject(invalidAt('ranges'))
    })
  })

  test('[SELECTION-19] compares versions of the selected records', async () => {
    const input = { tableId, type: 'rows' as const, ranges: [[0, 1]] as Ranges }
    await world.change(table, table.recordIds[1], { Pages: 1 })
    const stale = { code: 'precondition_failed' }
    await expect(api().clearCells(input, { ifMatch: [1] })).rejects.toMatchObject(stale)
    await expect(api().deleteSelectedRecords(input, { ifMatch: [1] })).rejects.toMatchObject(stale)
    const content = 'a\nb'
    await expect(api().pasteCells({ ...input, content }, { ifMatch: [1] })).rejects.toMatchObject(
      stale,
    )
    await api().pasteCells({ ...input, content }, { ifMatch: [1, 2] })
    await api().clearCells(input, { ifMatch: [2, 3] })
    await api().deleteSelectedRecords(input, { ifMatch: [3, 4] })
    expect(await world.cellsOf(table, 'Title')).toEqual(['Sanditon', null])
  })
})

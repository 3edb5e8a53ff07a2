import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('queries of a base', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let books: Record<string, string>
  let authors: Record<string, string>

  beforeAll(async () => {
    const { makeTable, api } = world
    const idsOf = async (tableId: string) => {
      const fields = await api.fields.listFields({ tableId })
      return { table: tableId, ...Object.fromEntries(fields.map(({ name, id }) => [name, id])) }
    }
    const madeBooks = await makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'singleLineText', name: 'By' },
        {
          type: 'number',
          name: 'Price',
          options: { formatting: { type: 'currency', precision: 2, symbol: '€' } },
        },
        {
          type: 'date',
          name: 'Month',
          options: { formatting: { date: 'YYYY-MM', time: 'None', timeZone: 'UTC' } },
        },
        { type: 'checkbox', name: 'Read' },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'old' }] } },
      ],
      [
        { Title: 'Emma', By: 'Austen', Price: 9.5, Month: '2026-02-10', Read: true },
        { Title: 'Persuasion', By: 'Austen', Price: 7, Month: '2026-02-03' },
        { Title: 'Evelina', By: 'Burney', Price: 8, Month: '2026-03-01' },
        { Title: 'Beowulf', Month: '2026-03-01' },
      ],
    )
    const madeAuthors = await makeTable(
      'Authors',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Born' },
      ],
      [
        { Name: 'Austen', Born: 1775 },
        { Name: 'Shelley', Born: 1797 },
      ],
    )
    ;[books, authors] = [await idsOf(madeBooks.id), await idsOf(madeAuthors.id)]
  })

  const ask = (query: object, more: object = { cellFormat: 'json' }) =>
    world.api.charts.queryBase({ baseId: world.baseId, query, ...more } as never)
  const from = () => ({ from: books.table })
  const group = (...names: string[]) =>
    names.map((name) => ({ column: books[name], type: 'field' }))
  const statistic = (name: string, statisticFunc: string) => ({
    column: books[name],
    type: 'field',
    statisticFunc,
  })
  const valuesOf = async (answer: ReturnType<typeof ask>) =>
    (await answer).rows.map((row) => Object.values(row))

  test('[CHART-9] takes the right to query, which weaker roles and other people have not', async () => {
    const { baseId, newCollaborator, newPerson } = world
    const query = { from: books.table ?? '' }
    const editor = await newCollaborator('Eve', 'editor')
    await expect(editor.api.charts.queryBase({ baseId, query })).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    const stranger = await newPerson('Bob')
    await expect(stranger.api.charts.queryBase({ baseId, query })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('[CHART-4] refuses what is not there, with its place', async () => {
    const gone = { column: 'fldNone', type: 'field' } as const
    const { api } = world
    const otherBase = await api.bases.createBase({ spaceId: world.ada.spaceId, name: 'Other' })
    const elsewhere = await world.makeTable('X', [{ type: 'number', name: 'N' }], [], otherBase.id)
    const join = { type: 'INNER JOIN', table: authors.table, on: [books.By, authors.Name] }
    for (const [query, ...path] of [
      [{ from: 'tblNone' }, 'from'],
      [{ from: elsewhere.id }, 'from'],
      [{ ...from(), groupBy: [gone] }, 'groupBy', 0, 'column'],
      [{ ...from(), select: [gone] }, 'select', 0, 'column'],
      [{ ...from(), orderBy: [{ ...gone, order: 'asc' }] }, 'orderBy', 0, 'column'],
      [
        { ...from(), aggregation: [{ ...gone, statisticFunc: 'count' }] },
        ...['aggregation', 0, 'column'],
      ],
      [
        { ...from(), aggregation: [statistic('Title', 'sum')] },
        ...['aggregation', 0, 'statisticFunc'],
      ],
      [
        {
          ...from(),
          where: { conjunction: 'and', filterSet: [{ fieldId: 'fldNone', operator: 'isEmpty' }] },
        },
        ...['where', 'filterSet', 0, 'fieldId'],
      ],
      [{ ...from(), join: [{ ...join, table: 'tblNone' }] }, 'join', 0, 'table'],
      [{ ...from(), join: [{ ...join, table: books.table }] }, 'join', 0, 'table'],
      [{ ...from(), join: [{ ...join, on: ['fldNone', authors.Name] }] }, 'join', 0, 'on', 0],
      [{ ...from(), join: [{ ...join, on: [books.By, books.Title] }] }, 'join', 0, 'on'],
      [{ ...from(), groupBy: group('By'), select: group('Title') }, ...['select', 0, 'column']],
      [
        {
          ...from(),
          orderBy: [{ column: `${books.Price}_sum`, type: 'aggregation', order: 'asc' }],
        },
        ...['orderBy', 0, 'column'],
      ],
      [{ ...from(), more: 1 }],
    ] as const) {
      await expect(ask(query), JSON.stringify(query)).rejects.toMatchObject(
        invalidAt('query', ...path),
      )
    }
  })

  test('[CHART-4] says of a query that is nested in the place of a table what belongs there', async () => {
    const message = 'query.from: must be the id of a table'
    await expect(ask({ from: from() })).rejects.toMatchObject({ message })
  })

  test('[CHART-5] joins by fields of one kind that hold one value, and by no others', async () => {
    for (const on of [
      [books.Price, authors.Name],
      [books.Tags, authors.Name],
      [books.Read, authors.Name],
    ]) {
      const join = [{ type: 'LEFT JOIN', table: authors.table, on }]
      await expect(ask({ ...from(), join })).rejects.toMatchObject(
        invalidAt('query', 'join', 0, 'on'),
      )
    }
  })

  test('[CHART-2] [CHART-5] joins tables, either field named first', async () => {
    const select = [...group('Title'), { column: authors.Born, type: 'field' }]
    const joined = (type: string, on = [books.By, authors.Name]) =>
      valuesOf(ask({ ...from(), select, join: [{ type, table: authors.table, on }] }))
    const both = [
      ['Emma', 1775],
      ['Persuasion', 1775],
    ]
    const books_ = [...both, ['Evelina', null], ['Beowulf', null]]
    expect(await joined('INNER JOIN')).toEqual(both)
    expect(await joined('INNER JOIN', [authors.Name, books.By])).toEqual(both)
    expect(await joined('LEFT JOIN')).toEqual(books_)
    expect(await joined('RIGHT JOIN')).toEqual([[null, 1797], ...both])
    expect(await joined('FULL JOIN')).toEqual([[null, 1797], ...books_])
  })

  test('[CHART-1] filters and orders rows, and answers a part of them', async () => {
    const query = {
      ...from(),
      select: group('Title'),
      where: {
        conjunction: 'and',
        filterSet: [{ fieldId: books.Price, operator: 'isGreaterEqual', value: 7 }],
      },
      orderBy: [{ column: books.Price, type: 'field', order: 'desc' }],
    }
    expect(await valuesOf(ask(query))).toEqual([['Emma'], ['Evelina'], ['Persuasion']])
    expect(await valuesOf(ask({ ...query, offset: 1, limit: 1 }))).toEqual([['Evelina']])
  })

  test('[CHART-3] [CHART-6] groups rows and works statistics out of them', async () => {
    const query = {
      ...from(),
      groupBy: group('By'),
      aggregation: [statistic('Price', 'sum'), statistic('Read', 'percentChecked')],
    }
    expect(await valuesOf(ask(query))).toEqual([
      ['Austen', 16.5, 50],
      ['Burney', 8, 0],
      [null, null, 0],
    ])
    const orderBy = [{ column: `${books.Price}_sum`, type: 'aggregation', order: 'asc' }]
    expect((await valuesOf(ask({ ...query, orderBy }))).map(([by]) => by)).toEqual([
      null,
      'Burney',
      'Austen',
    ])
    const { columns } = await ask(query)
    expect(columns.map(({ name, column, type }) => [name, column, type])).toEqual([
      ['By', books.By, 'field'],
      ['Price_sum', `${books.Price}_sum`, 'aggregation'],
      ['Read_percentChecked', `${books.Read}_percentChecked`, 'aggregation'],
    ])
    expect(columns[1]?.fieldSource).toMatchObject({
      id: books.Price,
      type: 'number',
      isConditionalLookup: false,
    })
    const select = [{ column: `${books.Price}_sum`, type: 'aggregation', alias: 'Total' }]
    const selected = await ask({ ...query, select })
    expect(selected.columns.map(({ name }) => name)).toEqual(['Total'])
    expect(selected.rows).toEqual([16.5, 8, null].map((sum) => ({ [`${books.Price}_sum`]: sum })))
  })

  test('[CHART-3] tells statistics of nothing, too', async () => {
    const none = { fieldId: books.Title, operator: 'is', value: 'None' }
    const query = {
      ...from(),
      where: { conjunction: 'and', filterSet: [none] },
      aggregation: [statistic('Price', 'sum'), statistic('Price', 'count')],
    }
    expect(await valuesOf(ask(query))).toEqual([[null, 0]])
  })

  test('[CHART-7] shows values as text unless it is told otherwise, and groups of dates by what they share', async () => {
    const query = {
      ...from(),
      groupBy: group('Month'),
      aggregation: [
        statistic('Price', 'sum'),
        statistic('Month', 'latestDate'),
        statistic('Read', 'percentChecked'),
        statistic('Price', 'filled'),
      ],
    }
    expect(await valuesOf(ask(query, {}))).toEqual([
      ['2026-02', '€16.50', '2026-02', '50%', '2'],
      ['2026-03', '€8.00', '2026-03', '0%', '1'],
    ])
    expect(await valuesOf(ask(query))).toEqual([
      ['2026-02-01T00:00:00.000Z', 16.5, '2026-02-10T00:00:00.000Z', 50, 2],
      ['2026-03-01T00:00:00.000Z', 8, '2026-03-01T00:00:00.000Z', 0, 1],
    ])
    const titles = await ask({ ...from(), select: group('Title', 'Price'), limit: 1 }, {})
    expect(titles.rows).toEqual([{ [books.Title ?? '']: 'Emma', [books.Price ?? '']: '€9.50' }])
  })

  test('[CHART-8] ends at its limits', async () => {
    expect(limits.chartRows).toBe(10_000)
    expect(limits.chartJoinedRows).toBe(1_000_000)
    expect(limits.chartJoinWork).toBe(5_000_000)
    expect(limits.chartLength).toBe(8_388_608)
    const groupBy = group('Title')
    await withLimits({ chartRows: 3 }, async () => {
      await expect(ask({ ...from(), groupBy })).rejects.toMatchObject(invalidAt('query', 'groupBy'))
    })
    await withLimits({ chartRows: 4 }, async () => {
      expect((await ask({ ...from(), groupBy })).rows).toHaveLength(4)
    })
    const join = [{ type: 'INNER JOIN', table: authors.table, on: [books.By, authors.Name] }]
    await withLimits({ chartJoinedRows: 1 }, async () => {
      await expect(ask({ ...from(), join })).rejects.toMatchObject(invalidAt('query', 'join'))
    })
    await withLimits({ chartJoinedRows: 2 }, async () => {
      expect((await ask({ ...from(), join })).rows).toHaveLength(2)
    })
    const price = { fieldId: books.Price, operator: 'isGreater', value: 0 }
    const where = { conjunction: 'and', filterSet: [price, price] }
    await withLimits({ chartJoinWork: 5 }, async () => {
      expect((await ask({ ...from(), join })).rows).toHaveLength(2)
      await expect(ask({ ...from(), join, where })).rejects.toMatchObject(
        invalidAt('query', 'join'),
      )
    })
    await withLimits({ chartJoinWork: 6 }, async () => {
      expect((await ask({ ...from(), join, where })).rows).toHaveLength(2)
    })
    await withLimits({ chartLength: 100 }, async () => {
      await expect(ask(from())).rejects.toMatchObject(invalidAt('query', 'select'))
    })
  })

  test('[CHART-11] [CHART-8] refuses joins by the bytes of texts and lists that their rows have', async () => {
    expect(limits.chartJoinedBytes).toBe(268_435_456)
    const { makeTable, api } = world
    const long = 'x'.repeat(1_000)
    const { id: table } = await makeTable(
      'Notes',
      [
        { type: 'singleLineText', name: 'Key' },
        { type: 'longText', name: 'Text' },
        { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'a' }] } },
        { type: 'number', name: 'Number' },
      ],
      [
        { Key: 'Austen', Text: long, Tags: ['a'], Number: 1 },
        { Key: 'Burney', Text: long },
      ],
    )
    const fields = await api.fields.listFields({ tableId: table })
    const notes = Object.fromEntries(fields.map(({ name, id }) => [name, id]))
    // Austen is in two rows, Burney in one.
    const join = [{ type: 'INNER JOIN', table: books.table, on: [notes.Key, books.By] }]
    const by = (name: string) => [{ column: notes[name], type: 'field' }]
    const count = (name: string, statisticFunc = 'count') => [
      { column: notes[name], type: 'field', statisticFunc },
    ]
    const contains = (value: string) => ({
      conjunction: 'or',
      filterSet: [
        { fieldId: notes.Text, operator: 'contains', value },
        { fieldId: books.Price, operator: 'isGreater', value: 0 },
      ],
    })
    const within = (bytes: number, query: object) =>
      withLimits({ chartJoinedBytes: bytes }, () => ask({ from: table, join, ...query }))
    const isRefused = (bytes: number, query: object) =>
      expect(within(bytes, query)).rejects.toMatchObject({
        ...invalidAt('query', 'join'),
        message: expect.stringContaining(`${bytes} bytes of texts and lists`),
      })
    const grouped = { groupBy: by('Text'), aggregation: count('Key') }
    await isRefused(2_999, grouped)
    expect((await within(3_000, grouped)).rows).toEqual([
      { [notes.Text ?? '']: long, [`${notes.Key}_count`]: 3 },
    ])
    await isRefused(5_999, { ...grouped, aggregation: count('Text', 'unique') })
    await within(6_000, { ...grouped, aggregation: count('Text', 'unique') })
    // To search in a text takes some times as long.
    await isRefused(8_999, { where: contains('y'), aggregation: count('Number') })
    await within(9_000, { where: contains('y'), aggregation: count('Number') })
    await isRefused(2_999, { select: by('Key'), orderBy: [{ ...by('Text')[0], order: 'asc' }] })
    await within(3_000, { select: by('Key'), orderBy: [{ ...by('Text')[0], order: 'asc' }] })
    await isRefused(0, { groupBy: by('Tags') })
    // Nothing of these is long, whatever else their records have.
    await within(0, { groupBy: by('Number'), aggregation: count('Text') })
    await within(0, { select: by('Text') })
    await within(0, { join: undefined, groupBy: by('Text') })
  })
})

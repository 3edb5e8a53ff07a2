import { filterOf, searchOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { evaluateQuery } from '../records/evaluation/evaluate-query.ts'
import { findAskedQuery } from '../records/query/find-asked-query.ts'
import { becomeLongIfMany } from '../records/reading/become-long-if-many.ts'
import { shows } from '../records/showing/search-hits.ts'
import { cellOf } from '../records/stored/cell-of.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import { foldCase } from '../values/text.ts'
import { not } from './condition.ts'
import type { SearchInput } from './search.ts'
import { canShow, shownText } from './shown-text.ts'

describeOnEveryStorage('searches', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))
  let people: { readonly name: (id: string) => string | undefined }

  beforeAll(async () => {
    people = { name: (id) => world.names.get(id) }
  })

  /** What some cells of the query world show. */
  const textsShown = () => {
    const texts = world.records.flatMap((record) =>
      world.schema.fields.flatMap((field) => {
        const cell = cellOf(field, record)
        return cell === null ? [] : shownText(field.rules.form, cell, people)
      }),
    )
    return [...new Set(texts)].filter((text) => text !== '' && text.length < 400)
  }
  const booksWith = (rows: readonly object[] = []) =>
    world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        {
          type: 'number',
          name: 'Price',
          options: { formatting: { type: 'currency', precision: 2, symbol: '€' } },
        },
        {
          type: 'number',
          name: 'Part',
          options: { formatting: { type: 'percent', precision: 1 } },
        },
        {
          type: 'date',
          name: 'Day',
          options: { formatting: { date: 'D/M/YYYY', time: 'hh:mm A', timeZone: 'Asia/Tokyo' } },
        },
        { type: 'checkbox', name: 'Read' },
        { type: 'rating', name: 'Stars' },
        { type: 'user', name: 'Readers', options: { isMultiple: true } },
        {
          type: 'multipleSelect',
          name: 'Tags, all',
          options: { choices: [{ name: 'new, old' }, { name: 'rare' }] },
        },
      ],
      rows,
    )
  const titles = async (tableId: string, search: SearchInput, more: object = {}) => {
    const query = { tableId, search, ...more }
    const { records } = await world.api.records.listRecords(query)
    return records.map(({ name = '' }) => name)
  }
  const hits = async (tableId: string, search: SearchInput, more: object = {}) => {
    const found = await world.api.aggregations.getSearchIndex({ tableId, search, ...more })
    const fields = await world.api.fields.listFields({ tableId })
    return found.map(({ index, fieldId }) => [index, fields.find(({ id }) => id === fieldId)?.name])
  }

  test('[QUERY-16] looks for a text in what people see of cells', async () => {
    const { ada } = world
    const grace = [...world.names.keys()].find(
      (id) => foldCase(world.names.get(id) ?? '') === 'grace',
    )
    const { id } = await booksWith([
      {
        Title: 'Straße',
        Price: -1234.5,
        Part: 0.256,
        Day: '2026-03-01T15:05:00Z',
        Read: true,
        Stars: 4,
        Readers: [{ id: grace }, { id: ada.userId }],
        'Tags, all': ['new, old', 'rare'],
      },
      { Title: 'ÄNDERUNG_100%' },
    ])
    const fieldsWith = async (text: string) => (await hits(id, [text])).map(([, name]) => name)
    expect(await fieldsWith('STRASS')).toEqual([])
    expect(await fieldsWith('STRAß')).toEqual(['Title'])
    expect(await fieldsWith('änderung_100%')).toEqual(['Title'])
    expect(await fieldsWith('-€1,234.50')).toEqual(['Price'])
    expect(await fieldsWith('1234.5')).toEqual([])
    expect(await fieldsWith('25.6%')).toEqual(['Part'])
    expect(await fieldsWith('2/3/2026 12:05 am')).toEqual(['Day'])
    expect(await fieldsWith('tru')).toEqual(['Read'])
    expect(await fieldsWith('false')).toEqual([])
    expect(await fieldsWith('4')).toEqual(['Price', 'Stars'])
    expect(await fieldsWith('grace, ada')).toEqual(['Readers'])
    expect(await fieldsWith('new, old, rare')).toEqual(['Tags, all'])
    expect(await fieldsWith('"')).toEqual([])
    expect(await fieldsWith('_')).toEqual(['Title'])
  })

  test('[QUERY-17] looks in the fields that are shown, or in those of them that are named', async () => {
    const { api } = world
    const row = { Title: '4 a', Price: 4, Stars: 4, 'Tags, all': ['rare'] }
    const { id } = await booksWith([row])
    const inFields = (names: SearchInput[1], text = '4') => hits(id, [text, names])
    const all = [
      [1, 'Title'],
      [1, 'Price'],
      [1, 'Stars'],
    ]
    expect(await inFields(undefined)).toEqual(all)
    expect(await inFields('')).toEqual(all)
    expect(await inFields(true)).toEqual(all)
    expect(await inFields('true')).toEqual(all)
    const stars = await world.fieldOf({ id }, 'Stars')
    expect(await inFields(`Price, ${stars.id},Price`)).toEqual(all.slice(1))
    expect(await inFields('Tags, all', 'a')).toEqual([[1, 'Tags, all']])
    expect(await inFields('"Tags, all",Title', 'a')).toEqual([
      [1, 'Title'],
      [1, 'Tags, all'],
    ])
    for (const text of ['4', '']) {
      await expect(inFields('Price,Pages', text)).rejects.toMatchObject(invalidAt('search', 1))
    }
    const columnMeta = { [stars.id]: { hidden: true } }
    const view = await api.views.createView({ tableId: id, type: 'grid', columnMeta })
    for (const more of [{ viewId: view.id }, { viewId: view.id, ignoreViewQuery: true }]) {
      expect(await hits(id, ['4'], more)).toEqual(all.slice(0, 2))
      expect(await titles(id, ['4', 'Price', true], more)).toEqual(['4 a'])
      await expect(hits(id, ['4', 'Stars'], more)).rejects.toMatchObject(invalidAt('search', 1))
    }
  })

  test('[QUERY-18] leaves other records out where it is told to, wherever records are queried', async () => {
    const { api } = world
    const rows = ['ab', 'bc', 'cd'].map((Title, index) => ({
      Title,
      Stars: index + 1,
      Readers: Title === 'cd' ? [{ id: world.ada.userId }] : [],
    }))
    const { id: tableId, recordIds } = await booksWith(rows)
    expect(await titles(tableId, ['B'])).toEqual(['ab', 'bc', 'cd'])
    expect(await titles(tableId, ['B', '', false])).toEqual(['ab', 'bc', 'cd'])
    expect(await titles(tableId, ['B', '', true])).toEqual(['ab', 'bc'])
    expect(await titles(tableId, ['', '', true])).toEqual(['ab', 'bc', 'cd'])
    expect(await titles(tableId, ['nowhere', '', true])).toEqual([])
    expect(await titles(tableId, ['letters', 'Stars', true])).toEqual([])
    const search: SearchInput = ['b', 'Title', true]
    const { rowCount } = await api.aggregations.getRowCount({ tableId, search })
    expect(rowCount).toBe(2)
    const { aggregations } = await api.aggregations.aggregateRecords({
      tableId,
      search,
      field: { sum: ['Stars'] },
    })
    expect(aggregations[0]?.total.value).toBe(3)
    const places = await Promise.all(
      recordIds.map((recordId) => api.aggregations.getRecordIndex({ tableId, search, recordId })),
    )
    expect(places.map(({ index }) => index)).toEqual([0, 1, null])
    let exported = ''
    const asked = { tableId, search: ['ada', 'Readers', true] as SearchInput, bom: false }
    const projection = ['Title']
    for await (const part of await api.exports.exportTable({ ...asked, projection })) {
      exported += part
    }
    expect(exported).toBe('Title\r\ncd\r\n')
    const first = await api.records.listRecords({ tableId, search, take: 1 })
    const cursor = first.nextCursor ?? ''
    expect(await titles(tableId, search, { cursor })).toEqual(['bc'])
    await expect(titles(tableId, ['c', 'Title', true], { cursor })).rejects.toMatchObject(
      invalidAt('cursor'),
    )
  })

  test('[QUERY-19] tells of the records of a list where they show the text', async () => {
    const { api, ada } = world
    const row = { Title: 'Ada', Readers: [{ id: ada.userId }] }
    const { id: tableId, recordIds } = await booksWith([row, { Title: 'Emma' }, { Title: 'dada' }])
    const [title, readers] = [
      await world.fieldOf({ id: tableId }, 'Title'),
      await world.fieldOf({ id: tableId }, 'Readers'),
    ]
    const listed = (search: SearchInput, more: object = {}) =>
      api.records.listRecords({ tableId, search, ...more })
    const ofFirst = [
      { recordId: recordIds[0], fieldId: title.id },
      { recordId: recordIds[0], fieldId: readers.id },
    ]
    const ofLast = { recordId: recordIds[2], fieldId: title.id }
    expect((await listed(['ADA'])).extra).toEqual({ searchHitIndex: [...ofFirst, ofLast] })
    expect((await listed(['ADA'], { take: 1 })).extra).toEqual({ searchHitIndex: ofFirst })
    const shown = { projection: ['Title'], cellFormat: 'text' } as const
    expect((await listed(['ADA', '', true], shown)).extra).toEqual({
      searchHitIndex: [...ofFirst, ofLast],
    })
    expect((await listed(['none'])).extra).toEqual({ searchHitIndex: [] })
    expect(await listed([''])).not.toHaveProperty('extra')
    // Hits take their part of what an answer may have.
    const [whole, hit] = [JSON.stringify((await listed([''])).records).length, 96]
    await withLimits({ answerBytes: whole + 4 * hit }, async () => {
      expect((await listed(['ADA'])).records).toHaveLength(3)
    })
    await withLimits({ answerBytes: whole + hit }, async () => {
      expect((await listed([''])).records).toHaveLength(3)
      expect((await listed(['ADA'])).records.length).toBeLessThan(3)
    })
  })

  test('[AGG-9] counts the cells that show the text', async () => {
    const { api } = world
    const rows = [{ Title: '4', Stars: 4 }, { Title: '4' }, { Title: '5' }]
    const { id: tableId } = await booksWith(rows)
    const count = async (search?: SearchInput, more: object = {}) =>
      (await api.aggregations.getSearchCount({ tableId, search, ...more })).count
    expect(await count(['4'])).toBe(3)
    expect(await count(['4', '', true])).toBe(3)
    expect(await count(['4', 'Stars'])).toBe(1)
    expect(await count(['nothing'])).toBe(0)
    expect(await count([''])).toBe(0)
    expect(await count()).toBe(0)
    const filterSet = [{ fieldId: 'Stars', operator: 'isEmpty' }]
    expect(await count(['4'], { filter: { conjunction: 'and', filterSet } })).toBe(1)
  })

  test('[AGG-10] tells where records stand that show the text, hit by hit', async () => {
    const rows = [{ Title: '4', Stars: 4 }, { Title: '5' }, { Title: '14', Price: 4 }]
    const { id } = await booksWith(rows)
    const all = [
      [1, 'Title'],
      [1, 'Stars'],
      [3, 'Title'],
      [3, 'Price'],
    ]
    expect(await hits(id, ['4'])).toEqual(all)
    for (const skip of [0, 1, 2, 3, 4]) {
      expect(await hits(id, ['4'], { skip, take: 2 })).toEqual(all.slice(skip, skip + 2))
    }
    expect(await hits(id, ['4', '', true])).toEqual([
      [1, 'Title'],
      [1, 'Stars'],
      [2, 'Title'],
      [2, 'Price'],
    ])
    const orderBy = [{ fieldId: 'Title', order: 'desc' }]
    expect(await hits(id, ['14'], { orderBy })).toEqual([[3, 'Title']])
    const { api } = world
    const view = await api.views.createView({ tableId: id, type: 'grid' })
    const { id: fieldId } = await world.fieldOf({ id }, 'Title')
    const sortObjs = [{ fieldId, order: 'desc' as const }]
    await api.views.sortViewManually({ tableId: id, viewId: view.id, sortObjs })
    const inView = { viewId: view.id }
    expect(await hits(id, ['4', 'Title'], inView)).toEqual([
      [2, 'Title'],
      [3, 'Title'],
    ])
    expect(await hits(id, ['4', 'Title', true], inView)).toEqual([
      [1, 'Title'],
      [2, 'Title'],
    ])
    expect(await hits(id, ['nothing'])).toEqual([])
    expect(await world.api.aggregations.getSearchIndex({ tableId: id })).toEqual([])
  })

  test('[QUERY-17] looks in as many fields as a table may have, of every form', async () => {
    const { api } = world
    const types = [
      { type: 'singleLineText' },
      { type: 'user', options: { isMultiple: true } },
      { type: 'number', options: { formatting: { type: 'currency', precision: 2, symbol: 'ß' } } },
      { type: 'date', options: { formatting: { timeZone: 'Asia/Tokyo' } } },
    ] as const
    const fields = Array.from({ length: limits.fieldsPerTable }, (_, index) => ({
      ...(types[index % types.length] ?? types[0]),
      name: `F${index}`,
    }))
    const last = fields.findLast(({ type }) => type === 'number')?.name ?? ''
    const row = { F0: '7', [last]: 7 }
    const { id } = await world.makeTable('Wide', fields, [{}, row])
    expect(await hits(id, ['7'])).toEqual([
      [2, 'F0'],
      [2, last],
    ])
    expect(await hits(id, ['7', '', true])).toEqual([
      [1, 'F0'],
      [1, last],
    ])
    const { count } = await api.aggregations.getSearchCount({ tableId: id, search: ['7'] })
    expect(count).toBe(2)
    const { records } = await api.records.listRecords({ tableId: id, search: ['7', true, true] })
    expect(records).toHaveLength(1)
  })

  test('[QUERY-20] takes a text and a list of fields that are not too long', async () => {
    const { id } = await booksWith([{ Title: 'a' }])
    expect(await hits(id, ['a'.repeat(limits.filterTextLength)])).toEqual([])
    const long = 'a'.repeat(limits.filterTextLength + 1)
    await expect(hits(id, [long])).rejects.toMatchObject(invalidAt('search', 0))
    const names = `${'Title,'.repeat(limits.searchFieldsLength / 6)}Title`
    await expect(hits(id, ['a', names])).rejects.toMatchObject(invalidAt('search', 1))
    await expect(hits(id, ['a\0'])).rejects.toMatchObject(invalidAt('search', 0))
  })

  test('[QUERY-21] says that it is long where many cells are searched', async () => {
    const { api, engine, schema, tableId } = world
    const said = vi.fn()
    const [field] = schema.fields
    if (!field) throw new Error('the table has fields')
    const finders = ({ recordScanner, recordFinder }: ReadTx) => ({ recordScanner, recordFinder })
    const search = (fields: readonly SchemaField[]) =>
      engine.store.read((tx) =>
        becomeLongIfMany({ ...finders(tx), becomeLong: said }, schema, {
          kind: 'all',
          conditions: [not({ kind: 'shows', fields, text: 'a' })],
        }),
      )
    const cells = world.records.at(-1)?.autoNumber ?? 0
    await withLimits({ cellsSearchedAtOnce: cells }, async () => {
      await search([field])
      expect(said).not.toHaveBeenCalled()
      await search([field, field])
      expect(said).toHaveBeenCalledOnce()
      for (const text of ['a', '1']) {
        const asked: { tableId: string; search: SearchInput } = {
          tableId,
          search: [text, '', true],
        }
        const { count } = await api.aggregations.getSearchCount(asked)
        const hits = await api.aggregations.getSearchIndex({ ...asked, take: 2_000 })
        const { extra } = await api.records.listRecords({ ...asked, take: 100 })
        expect(count).toBeGreaterThan(0)
        expect(hits).toHaveLength(count)
        expect(extra?.searchHitIndex).toHaveLength(count)
      }
    })
  })

  test('[QUERY-1] always finds what the evaluator finds, and hits the same cells', async () => {
    const { schema, records, engine, ada, tableId, values } = world
    const actor = { kind: 'user', userId: ada.userId } as const
    const now = new Date(world.clock.now()).toISOString()
    const page = fc.record({ skip: fc.nat({ max: 5 }), take: fc.integer({ min: 1, max: 70 }) })
    await engine.store.read(async (tx) => {
      const [table] = await tx.tables.findAll([tableId], 'none')
      if (!table) throw new Error('the table was made')
      const by = { actor, userId: ada.userId, publicUrl: undefined }
      const context = { tx, table, now, ...by }
      await fc.assert(
        fc.asyncProperty(
          searchOf(schema, textsShown()),
          fc.option(filterOf(schema, values), { nil: undefined }),
          sortOf(schema),
          page,
          async (input, filter, orderBy, { skip, take }) => {
            const asked = { fieldKeyType: 'id', search: input, filter, orderBy } as const
            const { query, search } = await findAskedQuery(context, asked)
            if (!search) throw new Error('a text is searched')
            const all = evaluateQuery(records, query, { skip: 0, take: Infinity }, people)
            const found = await tx.recordFinder.find(schema, query, { skip, take })
            expect(found).toEqual(all.slice(skip, skip + take))
            expect(await tx.recordFinder.count(schema, query.condition)).toBe(all.length)
            const hits = all.flatMap(({ id: recordId }, index) => {
              const record = records.find(({ id }) => id === recordId)
              if (!record) throw new Error('it was found')
              return search.fields
                .filter((field) => shows(field, record, search.text, people))
                .map(({ field }) => ({ index: index + 1, recordId, fieldId: field.id }))
            })
            const { condition } = query
            expect(await tx.recordFinder.countHits(schema, condition, search)).toBe(hits.length)
            const counts = [search.fields.slice(0, skip), search.fields.slice(skip)].map((fields) =>
              tx.recordFinder.countHits(schema, condition, { ...search, fields }),
            )
            const [some = 0, others = 0] = await Promise.all(counts)
            expect(some + others).toBe(hits.length)
            const part = await tx.recordFinder.findHits(schema, query, search, { skip, take })
            expect(part).toEqual(hits.slice(skip, skip + take))
          },
        ),
        { numRuns: 300 },
      )
    })
  }, 240_000)

  test('[QUERY-16] always leaves out only fields that show no such text', () => {
    const { schema, records } = world
    fc.assert(
      fc.property(searchOf(schema, textsShown()), fc.nat(), ([text], index) => {
        const record = records[index % records.length]
        for (const field of schema.fields) {
          if (!record || canShow(field.rules.form, text)) continue
          expect(shows(field, record, text, people)).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})

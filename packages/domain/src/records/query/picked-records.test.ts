import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('records that are picked for links', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let books: TestTable
  let people: TestTable
  const fieldIds: Record<string, string> = {}

  beforeAll(async () => {
    api = world.api
    books = await world.makeNames('Books', 'a', 'b', 'c', 'd', 'e')
    people = await world.makeNames('People', 'x', 'y', 'z')
    for (const relationship of ['manyMany', 'oneMany', 'manyOne', 'oneOne']) {
      const options = { relationship, foreignTableId: books.id }
      const field = await world.addField(people, { type: 'link', name: relationship, options })
      fieldIds[relationship] = field.id
    }
    const many = (...of: string[]) => of.map((name) => ({ id: bookId(name) }))
    await world.change(people, personId('x'), {
      ...{ manyMany: many('c', 'a'), oneMany: many('d', 'a') },
      ...{ manyOne: { id: bookId('b') }, oneOne: { id: bookId('b') } },
    })
    await world.change(people, personId('y'), {
      ...{ manyMany: many('a', 'e', 'b'), oneMany: many('c') },
      ...{ manyOne: { id: bookId('b') }, oneOne: { id: bookId('e') } },
    })
  })

  const bookId = (name: string) => books.recordIds['abcde'.indexOf(name)] ?? ''
  const personId = (name: string) => people.recordIds['xyz'.indexOf(name)] ?? ''
  const list = async (query: object) => {
    const { records } = await api.records.listRecords({ tableId: books.id, ...query })
    return records.map(({ fields }) => fields.Name).join('')
  }
  const cell = (relationship: string, person?: string) => {
    const fieldId = fieldIds[relationship] ?? ''
    return person === undefined ? fieldId : ([fieldId, personId(person)] as [string, string])
  }

  test.each([
    ['manyMany', 'abcde', 'abcde', 'abcde'],
    ['manyOne', 'abcde', 'abcde', 'abcde'],
    ['oneMany', 'be', 'abde', 'be'],
    ['oneOne', 'acd', 'abcd', 'acd'],
  ])('[QUERY-26] %s: offers what the field may take', async (relationship, all, ofX, ofZ) => {
    const offered = (person?: string) =>
      list({ filterLinkCellCandidate: cell(relationship, person) })
    expect([await offered(), await offered('x'), await offered('z')]).toEqual([all, ofX, ofZ])
  })

  test('[QUERY-26] [LINK-32] offers what the filter of the link and that of its view let through', async () => {
    const without = (name: string) => ({
      conjunction: 'and' as const,
      filterSet: [{ fieldId: books.primaryId, operator: 'isNot', value: name }],
    })
    const view = await api.views.createView({
      tableId: books.id,
      type: 'grid',
      filter: without('a'),
    } as never)
    const options = {
      ...{ relationship: 'oneMany', foreignTableId: books.id, isOneWay: true },
      ...{ filter: without('b'), filterByViewId: view.id },
    }
    const { id } = await world.addField(people, { type: 'link', name: 'filtered', options })
    await world.change(people, personId('x'), { filtered: [{ id: bookId('c') }] })
    expect(await list({ filterLinkCellCandidate: id })).toBe('de')
    expect(await list({ filterLinkCellCandidate: [id, personId('x')] })).toBe('cde')
    expect(await list({ filterLinkCellSelected: [id, personId('x')] })).toBe('c')
  })

  test.each([
    ['manyMany', 'abce', 'ca', 'aeb'],
    ['manyOne', 'b', 'b', 'b'],
    ['oneMany', 'acd', 'da', 'c'],
    ['oneOne', 'be', 'b', 'e'],
  ])('[QUERY-27] %s: lists what the field has', async (relationship, all, ofX, ofY) => {
    const taken = (person?: string) => list({ filterLinkCellSelected: cell(relationship, person) })
    expect([await taken(), await taken('x'), await taken('y')]).toEqual([all, ofX, ofY])
    expect(await taken('z')).toBe('')
  })

  test('[QUERY-27] [QUERY-28] with filters, another order, and the place of a record', async () => {
    const filterLinkCellSelected = cell('manyMany', 'y')
    const orderBy = [{ fieldId: 'Name', order: 'desc' as const }]
    expect(await list({ filterLinkCellSelected, orderBy })).toBe('eba')
    const filterSet = [{ fieldId: 'Name', operator: 'isNot' as const, value: 'e' }]
    const filter = { conjunction: 'and' as const, filterSet }
    expect(await list({ filterLinkCellSelected, filter })).toBe('ab')
    const asked = { tableId: books.id, filterLinkCellSelected }
    const index = async (name: string, more: object = {}) =>
      (await api.aggregations.getRecordIndex({ ...asked, recordId: bookId(name), ...more })).index
    expect(await Promise.all(['a', 'e', 'b', 'c'].map((name) => index(name)))).toEqual([
      0,
      1,
      2,
      null,
    ])
    expect(await index('e', { orderBy })).toBe(0)
    expect(await api.aggregations.getRowCount(asked)).toEqual({ rowCount: 3 })
    const { aggregations } = await api.aggregations.aggregateRecords({
      ...asked,
      field: { sum: ['Count'] },
    })
    expect(aggregations[0]?.total.value).toBe(1 + 5 + 2)
    const status = (name: string, skip: number) =>
      api.records.getRecordStatus({ ...asked, recordId: bookId(name), skip })
    expect((await status('e', 1)).isVisible).toBe(true)
    expect((await status('e', 2)).isVisible).toBe(false)
    const free = { tableId: books.id, filterLinkCellCandidate: cell('oneMany') }
    expect(await api.aggregations.getRowCount(free)).toEqual({ rowCount: 2 })
    const { getRecordIndex } = api.aggregations
    expect((await getRecordIndex({ ...free, recordId: bookId('e') })).index).toBe(1)
    expect((await getRecordIndex({ ...free, recordId: bookId('a') })).index).toBeNull()
  })

  test('[QUERY-28] picks records by their ids', async () => {
    const selectedRecordIds = [bookId('d'), bookId('b'), 'recNone']
    expect(await list({ selectedRecordIds })).toBe('bd')
    expect(await list({ selectedRecordIds: [] })).toBe('')
    expect(await list({ selectedRecordIds, filterLinkCellCandidate: cell('oneMany') })).toBe('b')
    expect(await list({ selectedRecordIds, filterLinkCellSelected: cell('manyMany', 'y') })).toBe(
      'b',
    )
  })

  test('[QUERY-28] [SELECTION-2] selects, counts hits and exports what is picked', async () => {
    const tableId = books.id
    const ofCell = { tableId, filterLinkCellSelected: cell('manyMany', 'y') }
    // Like a list of them: in the order of the cell.
    const select = { ...ofCell, type: 'rows' as const, ranges: [[1, 2]] as [number, number][] }
    const { recordIds } = await api.selections.findSelectedIds({
      ...select,
      returnType: 'recordId',
    })
    expect(recordIds).toEqual([bookId('e'), bookId('b')])
    const projection = ['Name']
    expect((await api.selections.copyCells({ ...select, projection })).content).toBe('e\nb')
    const past = api.selections.copyCells({ ...select, ranges: [[1, 3]] })
    await expect(past).rejects.toMatchObject(invalidAt('ranges'))
    const cells = {
      ...ofCell,
      projection,
      ranges: [
        [0, 1],
        [0, 1],
      ] as [number, number][],
    }
    await api.selections.pasteCells({ ...cells, content: 'E' })
    expect(await list({ selectedRecordIds: [bookId('e')] })).toBe('E')
    await api.selections.pasteCells({ ...cells, content: 'e' })
    const search: [string] = ['b']
    const count = async (more: object) =>
      (await api.aggregations.getSearchCount({ tableId, search, ...more })).count
    const all = await count({})
    const left = await count({ selectedRecordIds: [bookId('a'), bookId('c')] })
    expect([all, left]).toEqual([1, 0])
    expect(await count({ filterLinkCellSelected: cell('manyOne') })).toBe(1)
    expect(await count({ filterLinkCellSelected: cell('oneMany') })).toBe(0)
    const hits = (more: object) => api.aggregations.getSearchIndex({ tableId, search, ...more })
    const filterLinkCellSelected = cell('manyMany', 'y')
    const orderBy = [{ fieldId: 'Name', order: 'asc' as const }]
    const hit = { fieldId: books.primaryId, recordId: bookId('b') }
    expect(await hits({ filterLinkCellSelected, orderBy })).toEqual([{ index: 2, ...hit }])
    const refused = invalidAt('filterLinkCellSelected')
    await expect(hits({ filterLinkCellSelected })).rejects.toMatchObject(refused)
    let text = ''
    const exported = { tableId, selectedRecordIds: [bookId('d'), bookId('b')], projection }
    for await (const part of await api.exports.exportTable(exported)) text += part
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual(['b', 'd'])
    await expect(
      api.exports.exportTable({ ...exported, filterLinkCellSelected } as never),
    ).rejects.toMatchObject(refused)
  })

  test('[QUERY-27] walks through the records of a cell, whatever becomes of it', async () => {
    const filterLinkCellSelected = cell('manyMany', 'z')
    const set = (of: string) =>
      world.change(people, personId('z'), {
        manyMany: [...of].map((name) => ({ id: bookId(name) })),
      })
    const page = async (cursor?: string | null, query: object = { filterLinkCellSelected }) => {
      const asked = { tableId: books.id, take: 2, ...query, ...(cursor && { cursor }) }
      const { records, nextCursor } = await api.records.listRecords(asked)
      return { names: records.map(({ fields }) => fields.Name).join(''), nextCursor }
    }
    await set('dbeac')
    const first = await page()
    expect(first.names).toBe('db')
    const second = await page(first.nextCursor)
    const third = await page(second.nextCursor)
    expect([second.names, third]).toEqual(['ea', { names: 'c', nextCursor: null }])
    await set('bcdea')
    expect((await page(first.nextCursor)).names).toBe('cd')
    await set('deac')
    expect((await page(first.nextCursor)).names).toBe('ea')
    const elsewhere = { filterLinkCellSelected: cell('manyMany', 'y') }
    await expect(page(first.nextCursor, elsewhere)).rejects.toMatchObject(invalidAt('cursor'))
    await set('')
  })

  test('[QUERY-28] refuses what is no link to the table that the caller may read', async () => {
    const other = await world.makeNames('Elsewhere', 'q')
    const back = (await world.fieldOf(books, 'People')).id
    const nameId = people.primaryId
    for (const fieldId of ['fldNone', back, nameId, other.primaryId]) {
      for (const member of ['filterLinkCellCandidate', 'filterLinkCellSelected']) {
        await expect(list({ [member]: fieldId })).rejects.toMatchObject(invalidAt(member))
      }
    }
    const secret = await api.bases.createBase({
      spaceId: (await api.bases.getBase({ baseId: world.baseId })).spaceId,
      name: 'Secret',
    })
    const hidden = await world.makeTable(
      'Hidden',
      [{ type: 'singleLineText', name: 'Name' }],
      [{}],
      secret.id,
    )
    const options = { relationship: 'oneMany', foreignTableId: books.id, baseId: world.baseId }
    const field = await world.addField(hidden, { type: 'link', name: 'Far', options })
    const [hiddenId = ''] = hidden.recordIds
    await world.change(hidden, hiddenId, { Far: [{ id: bookId('c') }] })
    expect(await list({ filterLinkCellCandidate: field.id })).toBe('abde')
    expect(await list({ filterLinkCellSelected: [field.id, hiddenId] })).toBe('c')
    const grace = await world.newCollaborator('Grace', 'editor')
    await expect(
      grace.api.records.listRecords({ tableId: books.id, filterLinkCellCandidate: field.id }),
    ).rejects.toMatchObject(invalidAt('filterLinkCellCandidate'))
  })

  test('[QUERY-26] [QUERY-27] what is offered and taken follows from the cells', async () => {
    const relationships = fc.constantFrom('manyMany', 'oneMany', 'manyOne', 'oneOne')
    const persons = fc.constantFrom('x', 'y', 'z')
    const step = fc.tuple(relationships, persons, fc.subarray([...'abcde']))
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 6 }),
        relationships,
        persons,
        async (steps, relationship, person) => {
          for (const [name, of, chosen] of steps) {
            const ids = chosen.map((one) => ({ id: bookId(one) }))
            const value = name.endsWith('Many') ? ids : (ids[0] ?? null)
            await world.change(people, personId(of), { [name]: value }).catch(() => {})
          }
          const cells = await Promise.all(
            [...'xyz'].map(
              async (one) =>
                [(await world.recordOf(people, personId(one)))[relationship] ?? []].flat() as {
                  title: string
                }[],
            ),
          )
          const titles = cells.map((items) => items.map(({ title }) => title))
          const own = titles['xyz'.indexOf(person)] ?? []
          expect(await list({ filterLinkCellSelected: cell(relationship, person) })).toBe(
            own.join(''),
          )
          const taken = new Set(titles.flat())
          expect(await list({ filterLinkCellSelected: cell(relationship) })).toBe(
            [...'abcde'].filter((one) => taken.has(one)).join(''),
          )
          const isExclusive = relationship.startsWith('one')
          const free = [...'abcde'].filter(
            (one) => !isExclusive || !taken.has(one) || own.includes(one),
          )
          expect(await list({ filterLinkCellCandidate: cell(relationship, person) })).toBe(
            free.join(''),
          )
        },
      ),
      { numRuns: 20 },
    )
  }, 60_000)
})

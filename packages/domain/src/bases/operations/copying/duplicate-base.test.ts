import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginBase } from '../../unfinished-base.ts'

describeOnEveryStorage('copies of bases', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let spaceId: string
  let authors: TestTable
  let books: TestTable

  beforeAll(async () => {
    spaceId = (await world.api.bases.getBase({ baseId: world.baseId })).spaceId
  })
  afterEach(() => world.clear())
  beforeEach(async () => {
    authors = await world.makeNames('Authors', 'Ada', 'Bob', 'Cy')
    books = await world.makeNames('Books', 'One', 'Two', 'Three')
    const link = { relationship: 'manyMany', foreignTableId: authors.id, isOneWay: false }
    const by = await world.addField(books, { type: 'link', name: 'By', options: link })
    const [ada, bob] = authors.recordIds
    await world.change(books, books.recordIds[0], { By: [bob, ada] })
    await world.change(books, books.recordIds[2], { By: [bob] })
    const reading = { foreignTableId: authors.id, linkFieldId: by.id }
    await world.addField(books, {
      type: 'number',
      name: 'Counts',
      isLookup: true,
      lookupOptions: { ...reading, lookupFieldId: (await world.fieldOf(authors, 'Count')).id },
    })
    await world.addField(books, {
      type: 'formula',
      name: 'Shown',
      options: { expression: `RECORD_ID() & ": " & {${books.primaryId}}` },
    })
    const back = await world.fieldOf(authors, 'Books')
    await world.addField(authors, {
      type: 'link',
      name: 'Co-authors',
      isLookup: true,
      lookupOptions: { foreignTableId: books.id, linkFieldId: back.id, lookupFieldId: by.id },
    })
    await world.addField(authors, {
      type: 'formula',
      name: 'Ids',
      isLookup: true,
      lookupOptions: {
        foreignTableId: books.id,
        linkFieldId: back.id,
        lookupFieldId: (await world.fieldOf(books, 'Shown')).id,
      },
    })
  })

  const copyOf = async (more: object = {}) => {
    const input = { fromBaseId: world.baseId, spaceId, withRecords: true, ...more }
    const copy = await world.api.bases.duplicateBase(input)
    const tables = await world.api.tables.listTables({ baseId: copy.id })
    const table = (name: string) => {
      const found = tables.find((one) => one.name === name)
      if (!found) throw new Error(`the copy has no table called ${name}`)
      return { id: found.id }
    }
    return { ...copy, tables, table }
  }

  const rowsOf = async ({ id: tableId }: { id: string }, viewId?: string) =>
    (await world.api.records.listRecords({ tableId, viewId })).records

  const baseNames = async () =>
    (await world.api.bases.listBases({ spaceId })).map(({ name }) => name)

  const problemsOf = async (baseId: string) =>
    (await world.api.bases.verifyBase({ baseId })).problems

  test('[BASE-17] [BASE-18] has values and links of its own, equal to those of the original', async () => {
    const copy = await copyOf({ name: 'Twin' })
    expect(await baseNames()).toEqual([...(await baseNames()).slice(0, -1), 'Twin'])
    expect(await problemsOf(copy.id)).toEqual([])
    const twins = copy.table('Authors')
    const twinBooks = copy.table('Books')
    for (const field of ['By', 'Counts']) {
      expect(await world.textsOf(twinBooks, field)).toEqual(await world.textsOf(books, field))
    }
    expect(await world.textsOf(twins, 'Books')).toEqual(await world.textsOf(authors, 'Books'))
    const [one, , three] = await rowsOf(twinBooks)
    const [ada, bob] = await rowsOf(twins)
    expect(one?.fields.By).toEqual([
      { id: bob?.id, title: 'Bob' },
      { id: ada?.id, title: 'Ada' },
    ])
    expect(authors.recordIds).not.toContain(bob?.id)
    expect(bob?.fields['Co-authors']).toEqual([
      { id: bob?.id, title: 'Bob' },
      { id: ada?.id, title: 'Ada' },
      { id: bob?.id, title: 'Bob' },
    ])
    expect(bob?.fields.Ids).toEqual([`${one?.id}: One`, `${three?.id}: Three`])
    // What is changed there follows there, and not here.
    await world.change(twins, ada?.id, { Name: 'Eve', Count: 7 })
    expect((await world.textsOf(twinBooks, 'By'))[0]).toBe('Bob, Eve')
    expect((await world.cellsOf(twinBooks, 'Counts'))[0]).toEqual([2, 7])
    await world.change(twinBooks, three?.id, { By: null })
    expect((await world.textsOf(twins, 'Books'))[1]).toBe('One')
    expect((await world.textsOf(books, 'By'))[0]).toBe('Bob, Ada')
    expect((await world.textsOf(authors, 'Books'))[1]).toBe('One, Three')
  })

  test('[BASE-17] has lookups of links that say what these do there, or said last', async () => {
    const by = await world.fieldOf(books, 'By')
    const copy = await copyOf()
    const { options } = await world.fieldOf(copy.table('Books'), 'By')
    expect(await world.fieldOf(copy.table('Authors'), 'Co-authors')).toMatchObject({ options })
    await world.api.fields.deleteFields({ tableId: books.id, fieldIds: [by.id] })
    const later = await copyOf()
    const lookup = await world.fieldOf(later.table('Authors'), 'Co-authors')
    expect(lookup).toMatchObject({
      hasError: true,
      options: {
        foreignTableId: later.table('Authors').id,
        fkHostTableName: `${later.id}.__link_${by.id}`,
      },
      lookupOptions: { foreignTableId: later.table('Books').id },
    })
  })

  test('[BASE-17] has the folders, resources and the order of nodes', async () => {
    const { tree } = world.api
    const { baseId } = world
    const folder = await tree.createNode({ baseId, resourceType: 'folder', name: 'Shelf' })
    const inner = await tree.createNode({
      ...{ baseId, resourceType: 'folder', name: 'Inner', parentId: folder.id },
    })
    await tree.createNode({ baseId, resourceType: 'dashboard', name: 'Sums', parentId: inner.id })
    await tree.createNode({ baseId, resourceType: 'workflow', name: 'Flow' })
    await tree.moveNode({ baseId, nodeId: books.id, parentId: folder.id })
    const shape = async (of: string) => {
      const nodes = await tree.listNodes({ baseId: of })
      const names = new Map(nodes.map((node) => [node.id, node.resourceMeta?.name]))
      const lines = nodes.map((node) => [
        names.get(node.parentId ?? '') ?? '',
        node.resourceType,
        node.resourceMeta?.name,
      ])
      // Nodes of different folders may stand in any order among one another.
      return Object.entries(Object.groupBy(lines, ([folder]) => folder ?? '')).toSorted()
    }
    const copy = await copyOf()
    expect(await shape(copy.id)).toEqual(await shape(baseId))
    expect(await problemsOf(copy.id)).toEqual([])
  })

  test('[BASE-17] [BASE-18] shows the rows in the order and by the filters of views', async () => {
    const { views } = world.api
    const [one = '', two = '', three = ''] = books.recordIds
    const made = await views.createView({ tableId: books.id, type: 'grid', name: 'By hand' })
    await views.moveRows({
      ...{ tableId: books.id, viewId: made.id, anchorId: one, position: 'before' },
      recordIds: [three],
    })
    const by = await world.fieldOf(books, 'By')
    const filter = {
      conjunction: 'and' as const,
      filterSet: [{ fieldId: by.id, operator: 'hasAnyOf', value: [authors.recordIds[0]] }],
    }
    await views.createView({ tableId: books.id, type: 'grid', name: 'Of Ada', filter } as never)
    await world.remove(books, two)
    const copy = await copyOf()
    const twin = copy.table('Books')
    const shown = async (name: string) => {
      const view = (await views.listViews({ tableId: twin.id })).find((one) => one.name === name)
      return (await rowsOf(twin, view?.id)).map((row) => row.name)
    }
    expect(await shown('By hand')).toEqual(['Three', 'One'])
    expect(await shown('Of Ada')).toEqual(['One'])
    await world.add(twin, { Name: 'Four' })
    expect(await shown('By hand')).toEqual(['Three', 'One', 'Four'])
    expect(await rowsOf(books)).toHaveLength(2)
  })

  test('[BASE-18] leaves the records behind where they are not asked for', async () => {
    const copy = await copyOf({ withRecords: undefined })
    expect(await rowsOf(copy.table('Books'))).toEqual([])
    const [ada] = await world.add(copy.table('Authors'), { Name: 'Ada', Count: 4 })
    await world.add(copy.table('Books'), { Name: 'New', By: [ada] })
    expect(await world.cellsOf(copy.table('Books'), 'Counts')).toEqual([[4]])
    expect(await world.textsOf(copy.table('Authors'), 'Books')).toEqual(['New'])
  })

  test('[BASE-19] copies the nodes that are named, and links to what stays behind', async () => {
    const copy = await copyOf({ nodes: [books.id] })
    expect(copy.tables.map(({ name }) => name)).toEqual(['Books'])
    const twin = copy.table('Books')
    expect(await world.cellsOf(twin, 'By')).toEqual(await world.cellsOf(books, 'By'))
    const by = await world.fieldOf(twin, 'By')
    expect(by.options).toMatchObject({ isOneWay: true, baseId: world.baseId })
    await world.change(authors, authors.recordIds[1], { Name: 'Rob' })
    expect(await world.textsOf(twin, 'By')).toEqual(await world.textsOf(books, 'By'))
    expect((await world.textsOf(twin, 'By'))[2]).toBe('Rob')
    await expect(copyOf({ nodes: ['bnoUnknown'] })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[BASE-20] gives files tokens of the other space, and refuses what would read from there', async () => {
    const { api } = world
    const other = await api.spaces.createSpace({ name: 'Elsewhere' })
    await world.addField(books, { type: 'attachment', name: 'Files' })
    const files = await world.fieldOf(books, 'Files')
    const file = {
      name: 'cover.txt',
      stream: async function* () {
        yield new TextEncoder().encode('a cover')
      },
    }
    const place = { tableId: books.id, recordId: books.recordIds[0] ?? '', fieldId: files.id }
    await api.attachments.uploadAttachment({ ...place, file })
    const here = (await copyOf()).table('Books')
    expect(await world.textsOf(here, 'Files')).toEqual(await world.textsOf(books, 'Files'))
    const refusal = { code: 'validation_error', data: { issues: [{ path: ['spaceId'] }] } }
    const there = { spaceId: other.id }
    await expect(copyOf({ ...there, nodes: [books.id] })).rejects.toMatchObject(refusal)
    expect(await api.bases.listBases({ spaceId: other.id })).toEqual([])
    const copy = await copyOf(there)
    const item = async (table: { id: string }) =>
      ((await world.cellsOf(table, 'Files'))[0] as { token: string; path: string }[])[0]
    const [before, after] = [await item(books), await item(copy.table('Books'))]
    expect(after?.path).toBe(before?.path)
    expect(after?.token).not.toBe(before?.token)
    const stored = await world.engine.store.read((tx) => tx.attachments.find(after?.token ?? ''))
    expect(stored?.spaceId).toBe(other.id)
  })

  test('[BASE-21] refuses who may not, and too much, and leaves nothing behind', async () => {
    const names = await baseNames()
    const eve = await world.newPerson('Eve')
    const input = { fromBaseId: world.baseId, spaceId: eve.spaceId, withRecords: true }
    const hidden = { code: 'not_found' }
    await expect(eve.api.bases.duplicateBase(input)).rejects.toMatchObject(hidden)
    await expect(eve.api.bases.duplicateBase({ ...input, spaceId })).rejects.toMatchObject(hidden)
    const tooMuch = { code: 'validation_error', data: { issues: [{ path: ['withRecords'] }] } }
    await withLimits({ bytesPerWholeWrite: 10 }, () =>
      expect(copyOf()).rejects.toMatchObject(tooMuch),
    )
    await withLimits({ stepsPerWholeWrite: 2_000 }, () =>
      expect(copyOf()).rejects.toMatchObject(tooMuch),
    )
    expect(await baseNames()).toEqual(names)
    await world.finishJobs()
    expect(await world.engine.store.write((tx) => tx.purge.nextBaseId(''))).toBeUndefined()
  })

  test('[BASE-21] takes a copy away whose maker ended before it was whole', async () => {
    const { store } = world.engine
    const createdTime = new Date(world.clock.now()).toISOString()
    const base = { id: 'bseUnfinished0000001', name: '', createdBy: 'usr', createdTime }
    await store.write((tx) => beginBase(tx, base))
    while (await world.runJob()) {}
    const left = () => store.write((tx) => tx.purge.nextBaseId(''))
    expect(await left()).toBe(base.id)
    world.clock.advance(2 * 60_000)
    await world.finishJobs()
    expect(await left()).toBeUndefined()
    const finish = { id: base.id, spaceId, order: 1, name: 'Late', icon: null }
    expect(await store.write((tx) => tx.bases.finish(finish))).toBe(false)
  })
})

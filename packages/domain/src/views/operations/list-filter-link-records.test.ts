import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('the records that filters of views name', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const itemOf = (fieldId: string, operator: string, value: unknown) => ({
    fieldId,
    operator,
    value,
  })

  /** A table with links to the other ones, and a view of it with a filter. */
  async function linkedTo(...foreign: readonly { readonly id: string }[]) {
    const table = await world.makeNames('Books', 'Emma')
    const links: string[] = []
    for (const { id: foreignTableId } of foreign) {
      const options = { relationship: 'manyMany', foreignTableId, isOneWay: true }
      links.push((await world.addField(table, { type: 'link', options })).id)
    }
    const { id: viewId } = await world.api.views.createView({ tableId: table.id, type: 'grid' })
    const view = { tableId: table.id, viewId }
    const setFilter = (...filterSet: readonly object[]) =>
      world.api.views.setViewFilter({ ...view, filter: { conjunction: 'and', filterSet } as never })
    return { table, links, view, setFilter }
  }

  test('[VIEW-25] lists them by their tables, with titles, once each', async () => {
    const authors = await world.makeNames('Authors', 'Jane', 'Mary', 'Anne')
    const shelves = await world.makeTable(
      'Shelves',
      [{ type: 'number', name: 'No' }],
      [{ No: 7 }, {}],
    )
    const [jane = '', mary = '', anne = ''] = authors.recordIds
    const [seven = '', blank = ''] = shelves.recordIds
    const { table, view, links, setFilter } = await linkedTo(authors, shelves)
    expect(await world.api.views.listFilterLinkRecords(view)).toEqual([])
    const [byAuthor = '', byShelf = ''] = links
    await setFilter(
      itemOf(byAuthor, 'hasAnyOf', [mary, jane, 'recGone']),
      itemOf(byAuthor, 'contains', 'J'),
      itemOf(table.primaryId, 'is', anne),
      {
        conjunction: 'or',
        filterSet: [
          itemOf(byShelf, 'hasNoneOf', [blank, seven]),
          itemOf(byAuthor, 'hasAllOf', [jane]),
          itemOf(byShelf, 'isEmpty', null),
        ],
      },
    )
    expect(await world.api.views.listFilterLinkRecords(view)).toEqual([
      {
        tableId: authors.id,
        records: [
          { id: mary, title: 'Mary' },
          { id: jane, title: 'Jane' },
        ],
      },
      { tableId: shelves.id, records: [{ id: blank }, { id: seven, title: '7.00' }] },
    ])
    await world.api.records.deleteRecord({ tableId: authors.id, recordId: mary })
    await world.api.fields.deleteField({ tableId: view.tableId, fieldId: byShelf })
    expect(await world.api.views.listFilterLinkRecords(view)).toEqual([
      { tableId: authors.id, records: [{ id: jane, title: 'Jane' }] },
    ])
  })

  test('[VIEW-25] refuses what takes more than one answer may', async () => {
    const authors = await world.makeNames('Authors', 'Jane', 'Mary')
    const { view, links, setFilter } = await linkedTo(authors)
    const all = itemOf(links[0] ?? '', 'hasAnyOf', authors.recordIds)
    await setFilter(all, all)
    const list = () => world.api.views.listFilterLinkRecords(view)
    const [{ records } = { records: [] }] = await list()
    const bytes = JSON.stringify(records).length - 1
    await withLimits({ answerBytes: bytes }, async () => expect(await list()).toHaveLength(1))
    const refusal = { code: 'validation_error' }
    await withLimits({ answerBytes: bytes - 1 }, () =>
      expect(list()).rejects.toMatchObject(refusal),
    )
  })

  test('[VIEW-25] lists those of links that are looked up', async () => {
    const authors = await world.makeNames('Authors', 'Jane')
    const { table: books, links } = await linkedTo(authors)
    const { view, links: toBooks, setFilter } = await linkedTo(books)
    const lookupOptions = {
      foreignTableId: books.id,
      linkFieldId: toBooks[0] ?? '',
      lookupFieldId: links[0] ?? '',
    }
    const lookup = await world.addField(
      { id: view.tableId },
      { type: 'link', isLookup: true, lookupOptions },
    )
    await setFilter(itemOf(lookup.id, 'hasAnyOf', authors.recordIds))
    expect(await world.api.views.listFilterLinkRecords(view)).toEqual([
      { tableId: authors.id, records: [{ id: authors.recordIds[0], title: 'Jane' }] },
    ])
  })

  test('[VIEW-25] leaves out those of bases that the caller may not read', async () => {
    const { api, ada } = world
    const { id: otherBaseId } = await api.bases.createBase({ spaceId: ada.spaceId })
    const hidden = await world.makeTable(
      'Hidden',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'Secret' }],
      otherBaseId,
    )
    const { view, links, setFilter } = await linkedTo(hidden)
    await setFilter(itemOf(links[0] ?? '', 'hasAnyOf', hidden.recordIds))
    const viewer = await world.newCollaborator('Vera', 'viewer')
    expect(await viewer.api.views.listFilterLinkRecords(view)).toEqual([])
    const [recordId] = hidden.recordIds
    expect(await api.views.listFilterLinkRecords(view)).toEqual([
      { tableId: hidden.id, records: [{ id: recordId, title: 'Secret' }] },
    ])
  })
})

import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('restoring from the trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let books: TestTable
  let authors: TestTable
  let link: { readonly id: string }

  beforeEach(async () => {
    await world.clear()
    await world.api.trash.resetTrash({ resourceId: world.baseId, resourceType: 'base' })
    await world.finishJobs()
    authors = await world.makeNames('Authors', 'Jane', 'Mary')
    books = await world.makeNames('Books', 'Emma', 'Frankenstein', 'Sanditon')
    link = await world.addField(books, {
      type: 'link',
      name: 'Author',
      options: { relationship: 'manyOne', foreignTableId: authors.id },
    })
    const [emma, frankenstein, sanditon] = books.recordIds
    await world.change(books, emma, { Author: { id: authors.recordIds[0] } })
    await world.change(books, frankenstein, { Author: { id: authors.recordIds[1] } })
    await world.change(books, sanditon, { Author: { id: authors.recordIds[0] } })
    await world.addField(authors, {
      type: 'rollup',
      name: 'Pages',
      options: { expression: 'sum({values})' },
      lookupOptions: {
        foreignTableId: books.id,
        linkFieldId: (await world.fieldOf(authors, 'Books')).id,
        lookupFieldId: (await world.fieldOf(books, 'Count')).id,
      },
    })
    const linked = { linkFieldId: link.id, foreignTableId: authors.id }
    await world.addField(books, {
      type: 'singleLineText',
      name: 'Author name',
      isLookup: true,
      lookupOptions: { ...linked, lookupFieldId: authors.primaryId },
    })
    await world.addField(books, {
      type: 'formula',
      name: 'Shouted',
      options: { expression: `UPPER({${books.primaryId}})` },
    })
  })

  /** All that can be read of the base. */
  async function picture() {
    const { api, baseId } = world
    await world.finishJobs()
    const nodes = await api.tree.listNodes({ baseId })
    const tables = await api.tables.listTables({ baseId })
    const parts = []
    for (const { id: tableId, lastModifiedTime: _, ...table } of tables as never as readonly {
      readonly id: string
      readonly lastModifiedTime: string
    }[]) {
      const { records } = await api.records.listRecords({ tableId, fieldKeyType: 'id' })
      const views = await api.views.listViews({ tableId })
      parts.push([table, await api.fields.listFields({ tableId }), views, records])
    }
    return { nodes, parts: withoutVersions(parts) }
  }
  const withoutVersions = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, member) =>
        key === 'version' || key === 'lastModifiedTime' ? undefined : member,
      ),
    )

  const entriesOf = async (resourceId: string, resourceType: 'base' | 'table') =>
    (await world.api.trash.listTrashItems({ resourceId, resourceType })).trashItems
  /** Restores the newest entry of a trash. */
  async function restoreNewest(resourceId: string, resourceType: 'base' | 'table' = 'table') {
    const [entry] = await entriesOf(resourceId, resourceType)
    await world.api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    return entry?.id ?? ''
  }
  const refusedWith = (message: RegExp) => ({
    code: 'validation_error',
    data: { issues: [{ path: [], message: expect.stringMatching(message) }] },
  })

  test('[TRASH-11] [TRASH-12] records come back with their links on both sides', async () => {
    const before = await picture()
    await world.remove(books, ...books.recordIds.slice(0, 2))
    expect(await picture()).not.toEqual(before)
    const trashId = await restoreNewest(books.id)
    expect(await picture()).toEqual(before)
    expect(await entriesOf(books.id, 'table')).toEqual([])
    await expect(world.api.trash.restoreTrash({ trashId })).rejects.toMatchObject({
      code: 'not_found',
    })
    await world.remove(authors, ...authors.recordIds)
    await restoreNewest(authors.id)
    expect(await picture()).toEqual(before)
  })

  test('[TRASH-11] [TRASH-12] fields of every kind come back with values, links and what read them', async () => {
    const { api } = world
    const before = await picture()
    for (const table of [books, authors]) {
      for (const { id: fieldId, name } of await api.fields.listFields({ tableId: table.id })) {
        if (fieldId === table.primaryId) continue
        await api.fields.deleteField({ tableId: table.id, fieldId })
        await restoreNewest(table.id)
        expect([name, await picture()]).toEqual([name, before])
      }
    }
    const fields = await api.fields.listFields({ tableId: books.id })
    const fieldIds = fields.slice(1).map(({ id }) => id)
    await api.fields.deleteFields({ tableId: books.id, fieldIds })
    await restoreNewest(books.id)
    expect(await picture()).toEqual(before)
  })

  test('[TRASH-11] fields come back before those that were made since, in copies of the table too', async () => {
    const { api, baseId } = world
    const names = async (tableId: string) =>
      (await api.fields.listFields({ tableId })).map(({ name }) => name)
    const before = await names(books.id)
    const fieldIds = (await api.fields.listFields({ tableId: books.id })).map(({ id }) => id)
    await api.fields.deleteFields({ tableId: books.id, fieldIds: fieldIds.slice(3) })
    const added = ['One', 'Two', 'Three', 'Four']
    for (const name of added) {
      world.clock.advance(1_000)
      await world.addField(books, { type: 'number', name })
    }
    await restoreNewest(books.id)
    const order = [...before.slice(0, 4), 'One', ...before.slice(4, 5), 'Two', 'Three', 'Four']
    expect(await names(books.id)).toEqual(order)
    const copy = await api.tree.duplicateNode({ baseId, nodeId: books.id })
    expect(await names(copy.resourceId)).toEqual(await names(books.id))
  })

  test('[TRASH-11] views come back as they were, those of a field too', async () => {
    const { api } = world
    const { id: tableId } = books
    const count = await world.fieldOf(books, 'Count')
    const view = await api.views.createView({ tableId, type: 'grid', name: 'Long' })
    const filterSet = [{ fieldId: count.id, operator: 'isGreater' as const, value: 1 }]
    const of = { tableId, viewId: view.id }
    await api.views.setViewFilter({ ...of, filter: { conjunction: 'and', filterSet } })
    await api.views.sortViewManually({ ...of, sortObjs: [{ fieldId: count.id, order: 'desc' }] })
    const before = await picture()
    await api.views.deleteView(of)
    await restoreNewest(tableId)
    expect(await picture()).toEqual(before)
    await api.fields.deleteField({ tableId, fieldId: count.id })
    await restoreNewest(tableId)
    expect(await picture()).toEqual(before)
  })

  test('[TRASH-11] [TREE-18] nodes come back to orders of their own', async () => {
    const { api, baseId } = world
    const make = async (name: string, parentId?: string) => {
      const node = {
        baseId,
        resourceType: 'dashboard',
        name,
        ...(parentId && { parentId }),
      } as const
      return (await api.tree.createNode(node)).id
    }
    const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Folder' })
    for (const parentId of [undefined, folder.id]) {
      const [first, gone] = [await make('First', parentId), await make('Gone', parentId)]
      await api.tree.deleteNode({ baseId, nodeId: gone })
      const later = await make('Later', parentId)
      await restoreNewest(baseId, 'base')
      const nodes = await api.tree.listNodes({ baseId })
      const made = nodes.filter(({ id }) => [first, gone, later].includes(id))
      expect(made.map(({ id }) => id)).toEqual([first, gone, later])
      expect(new Set(made.map(({ order }) => order)).size).toBe(3)
    }
    const gone = await api.tree.getNode({ baseId, nodeId: await make('Gone') })
    await api.tree.deleteNode({ baseId, nodeId: gone.id })
    const { order } = gone
    const later = await api.tables.createTable({ baseId, name: 'There', order } as never)
    await restoreNewest(baseId, 'base')
    const all = await api.tree.listNodes({ baseId })
    const nodes = all.filter((node) => [gone.resourceId, later.id].includes(node.resourceId))
    expect(nodes.map(({ resourceId }) => resourceId).toSorted()).toEqual(
      [gone.resourceId, later.id].toSorted(),
    )
    expect(nodes.find(({ id }) => id === gone.id)?.order).toBe(order)
    expect(new Set(nodes.map((node) => node.order)).size).toBe(2)
  })

  test('[TRASH-11] [TRASH-12] tables come back with everything, and heal what reads them', async () => {
    const { api, baseId } = world
    const before = await picture()
    for (const { id: tableId } of [books, authors]) {
      await api.tables.deleteTable({ baseId, tableId })
      await restoreNewest(baseId, 'base')
      expect(await picture()).toEqual(before)
    }
    await api.tables.deleteTable({ baseId, tableId: books.id })
    await api.tables.deleteTable({ baseId, tableId: authors.id })
    await restoreNewest(baseId, 'base')
    await restoreNewest(baseId, 'base')
    expect(await picture()).toEqual(before)
  })

  test('[TRASH-12] what changed while a table lay in the trash is worked out', async () => {
    const { api, baseId } = world
    await api.tables.deleteTable({ baseId, tableId: books.id })
    await world.change(authors, authors.recordIds[0], { Name: 'Jane Austen' })
    await world.remove(authors, authors.recordIds[1])
    await restoreNewest(baseId, 'base')
    await world.finishJobs()
    expect(await world.textsOf(books, 'Author name')).toEqual(['Jane Austen', null, 'Jane Austen'])
    await restoreNewest(authors.id)
    expect(await world.textsOf(books, 'Author name')).toEqual([
      'Jane Austen',
      'Mary',
      'Jane Austen',
    ])
  })

  test('[TRASH-15] links come back with the second record, and whatever lay in the trash meanwhile', async () => {
    const { api } = world
    const before = await picture()
    const [emma, ...rest] = books.recordIds
    await world.remove(books, emma)
    await world.remove(authors, ...authors.recordIds)
    world.clock.advance(1_000)
    await world.remove(books, ...rest)
    await restoreNewest(authors.id)
    const [second, first] = await entriesOf(books.id, 'table')
    await api.trash.restoreTrash({ trashId: first?.id ?? '' })
    await api.trash.restoreTrash({ trashId: second?.id ?? '' })
    expect(await picture()).toEqual(before)
    // The field comes back before the record, which was deleted while it lay in the trash.
    await api.fields.deleteField({ tableId: books.id, fieldId: link.id })
    world.clock.advance(1_000)
    await world.remove(books, emma)
    const [ofRecord, ofField] = await entriesOf(books.id, 'table')
    await api.trash.restoreTrash({ trashId: ofField?.id ?? '' })
    expect((await world.cellsOf(authors, 'Books'))[0]).toHaveLength(1)
    await api.trash.restoreTrash({ trashId: ofRecord?.id ?? '' })
    expect(await picture()).toEqual(before)
  })

  test('[TRASH-15] records are deleted and come back where a link has lost its other table', async () => {
    const { api, baseId } = world
    const { id: tableId } = books
    await api.tables.deleteTable({ baseId, tableId: authors.id })
    const copy = await api.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: true })
    const copied = { id: copy.resourceId }
    const { records } = await api.records.listRecords({ tableId: copied.id })
    await restoreNewest(baseId, 'base')
    await world.finishJobs()
    const healed = await api.fields.listFields({ tableId: copied.id })
    expect(healed.filter(({ hasError }) => hasError)).toEqual([])
    await world.change(copied, records[0]?.id, { Author: { id: authors.recordIds[0] } })
    await api.tables.deleteTable({ baseId, tableId: authors.id })
    for (const gone of [false, true]) {
      if (gone) await api.tables.deleteTablePermanently({ baseId, tableId: authors.id })
      await world.remove(books, books.recordIds[0])
      await world.remove(copied, records[0]?.id)
      await restoreNewest(tableId)
      await restoreNewest(copied.id)
      expect(await world.cellsOf(books, 'Name')).toHaveLength(3)
      expect(await world.cellsOf(copied, 'Name')).toHaveLength(3)
    }
  })

  test('[TRASH-13] taken names are numbered, and what has lost its folder comes to the root', async () => {
    const { api, baseId } = world
    const { id: tableId } = books
    const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Shelf' })
    await api.tree.moveNode({ baseId, nodeId: tableId, parentId: folder.id })
    const count = await world.fieldOf(books, 'Count')
    await api.fields.deleteField({ tableId, fieldId: count.id })
    await world.addField(books, { type: 'checkbox', name: 'Count', dbFieldName: 'Count' })
    const view = await api.views.createView({ tableId, type: 'grid', name: 'All' })
    await api.views.deleteView({ tableId, viewId: view.id })
    await api.views.createView({ tableId, type: 'grid', name: 'All' })
    for (const { id: trashId } of await entriesOf(tableId, 'table')) {
      await api.trash.restoreTrash({ trashId })
    }
    expect((await world.fieldOf(books, 'Count 2')).dbFieldName).toBe('Count_2')
    const names = (await api.views.listViews({ tableId })).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['All', 'All 2', 'Grid view'])
    await api.tables.deleteTable({ baseId, tableId })
    await api.tree.deleteNode({ baseId, nodeId: folder.id })
    await world.makeNames('Books', 'Other')
    await restoreNewest(baseId, 'base')
    const node = await api.tree.getNode({ baseId, nodeId: tableId })
    expect(node).toMatchObject({ parentId: null, resourceMeta: { name: 'Books 2' } })
  })

  test('[TRASH-14] what is in the way is named, and nothing is changed', async () => {
    const { api, baseId } = world
    await world.addField(books, { type: 'singleLineText', name: 'ISBN', unique: true })
    const [emma, frankenstein] = books.recordIds
    await world.change(books, emma, { ISBN: '1' })
    await world.remove(books, emma)
    await world.change(books, frankenstein, { ISBN: '1' })
    const trashId = (await entriesOf(books.id, 'table'))[0]?.id ?? ''
    const restore = (id = trashId) => api.trash.restoreTrash({ trashId: id })
    await world.expectNoTrace(restore, refusedWith(new RegExp(`${frankenstein}.*"ISBN"`)))
    await world.change(books, frankenstein, { ISBN: '2' })

    await api.tables.deleteTable({ baseId, tableId: books.id })
    await world.expectNoTrace(restore, refusedWith(/table that it belongs to is deleted/))
    await restoreNewest(baseId, 'base')
    await restore()
    expect((await world.recordOf(books, emma)).ISBN).toBe('1')
  })

  test('[TRASH-14] a link that takes one record stays with the one it has by now', async () => {
    const { api } = world
    const one = await world.addField(books, {
      type: 'link',
      name: 'Only',
      options: { relationship: 'oneOne', foreignTableId: authors.id },
    })
    const [emma, frankenstein] = books.recordIds
    const [jane] = authors.recordIds
    await world.change(books, emma, { [one.name]: { id: jane } })
    await world.remove(books, emma)
    await world.change(books, frankenstein, { [one.name]: { id: jane } })
    const trashId = (await entriesOf(books.id, 'table'))[0]?.id ?? ''
    const restore = () => api.trash.restoreTrash({ trashId })
    await world.expectNoTrace(restore, refusedWith(new RegExp(`${jane}.*one link`)))
    await world.change(books, frankenstein, { [one.name]: null })
    await restore()
    expect((await world.recordOf(books, emma))[one.name]).toMatchObject({ id: jane })
  })

  test('[TRASH-14] a required field comes back where every record has a value', async () => {
    const { api } = world
    const empty = await api.tables.createTable({
      baseId: world.baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Must', notNull: true },
      ],
      records: [{ fields: { Name: 'a', Must: 1 } }],
    } as never)
    const must = await world.fieldOf(empty, 'Must')
    await api.fields.deleteField({ tableId: empty.id, fieldId: must.id })
    await restoreNewest(empty.id)
    expect(await world.fieldOf(empty, 'Must')).toMatchObject({ notNull: true })
    await api.fields.deleteField({ tableId: empty.id, fieldId: must.id })
    const made = await world.add(empty, { Name: 'b' })
    const trashId = (await entriesOf(empty.id, 'table'))[0]?.id ?? ''
    const restore = () => api.trash.restoreTrash({ trashId })
    await world.expectNoTrace(restore, refusedWith(/"Must" is required/))
    await world.remove(empty, ...made)
    await api.trash.restoreTrash({ trashId })
    await expect(world.add(empty, { Name: 'c' })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[TRASH-11] [TRASH-12] bases and spaces come back with all that is in them, and links between bases', async () => {
    const { api, ada } = world
    const { spaceId } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const far = await world.makeTable(
      'Far',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'x' }],
      baseId,
    )
    await world.addField(books, {
      type: 'link',
      name: 'Far',
      options: { relationship: 'manyMany', foreignTableId: far.id, baseId },
    })
    await world.change(books, books.recordIds[0], { Far: [{ id: far.recordIds[0] }] })
    const before = await picture()
    const restore = async (resourceType: 'base' | 'space') => {
      const { trashItems } = await api.trash.listTrash({ resourceType })
      await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    }
    await api.bases.deleteBase({ baseId })
    expect((await world.fieldOf(books, 'Far')).hasError).toBe(true)
    await restore('base')
    expect(await picture()).toEqual(before)
    await api.bases.deleteBase({ baseId })
    const { trashItems } = await api.trash.listTrash({ resourceType: 'base' })
    await api.spaces.deleteSpace({ spaceId })
    await expect(
      api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' }),
    ).rejects.toMatchObject(refusedWith(/space that it belongs to is deleted/))
    await restore('space')
    await restore('base')
    expect(await picture()).toEqual(before)
    expect(await world.textsOf(far, 'Name')).toEqual(['x'])
  })

  test('[TRASH-16] an editor restores records and views, and no fields', async () => {
    const { api } = world
    const editor = await world.newCollaborator('Edwin', 'editor')
    await world.remove(books, books.recordIds[0])
    const record = (await entriesOf(books.id, 'table'))[0]?.id ?? ''
    world.clock.advance(1_000)
    const count = await world.fieldOf(books, 'Count')
    await api.fields.deleteField({ tableId: books.id, fieldId: count.id })
    const field = (await entriesOf(books.id, 'table'))[0]?.id ?? ''
    await editor.api.trash.restoreTrash({ trashId: record })
    const refusal = { code: 'restricted_resource' }
    await world.expectNoTrace(() => editor.api.trash.restoreTrash({ trashId: field }), refusal)
  })
})

import { toLeveledArchive } from '@gateleg/testing/observations/leveled-archive'
import { archiveOf } from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('archives', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let spaceId: string

  beforeAll(async () => {
    spaceId = (await world.api.bases.getBase({ baseId: world.baseId })).spaceId
  })
  afterEach(() => world.clear())

  const exported = async (baseId = world.baseId, more: object = {}) => {
    let text = ''
    for await (const part of await world.api.archives.exportBase({ baseId, ...more })) text += part
    return text
  }

  const imported = (content: string, more: object = {}) =>
    world.api.archives.importBase({ spaceId, content, ...more })

  const tableOf = async (baseId: string, name: string) => {
    const found = (await world.api.tables.listTables({ baseId })).find((one) => one.name === name)
    if (!found) throw new Error(`there is no table ${name}`)
    return { id: found.id }
  }

  const problemsOf = async (baseId: string) =>
    (await world.api.bases.verifyBase({ baseId })).problems

  /** Books of authors, with fields that read through the link. */
  const makeLinked = async () => {
    const authors = await world.makeNames('Authors', 'Ada', 'Bob', 'Cy')
    const books = await world.makeNames('Books', 'One', 'Two', 'Three')
    const link = { relationship: 'manyMany', foreignTableId: authors.id, isOneWay: false }
    const by = await world.addField(books, { type: 'link', name: 'By', options: link })
    const [ada, bob] = authors.recordIds
    await world.change(books, books.recordIds[0], { By: [bob, ada] })
    await world.change(books, books.recordIds[2], { By: [bob] })
    const lookupFieldId = (await world.fieldOf(authors, 'Count')).id
    const lookupOptions = { foreignTableId: authors.id, linkFieldId: by.id, lookupFieldId }
    const counts = { type: 'number', name: 'Counts', isLookup: true, lookupOptions }
    await world.addField(books, counts)
    const options = { expression: 'sum({values})' }
    await world.addField(books, { type: 'rollup', name: 'Sum', options, lookupOptions })
    const expression = `RECORD_ID() & ": " & {${books.primaryId}}`
    await world.addField(books, { type: 'formula', name: 'Shown', options: { expression } })
    return { authors, books, by }
  }

  test('[ARCHIVE-1] [ARCHIVE-4] have links at both ends, and what follows from them is worked out', async () => {
    const { authors, books } = await makeLinked()
    const archive = await exported()
    const made = await imported(archive, { name: 'Twin' })
    expect(made).toMatchObject({ name: 'Twin', spaceId })
    expect(await problemsOf(made.id)).toEqual([])
    const again = toLeveledArchive(await exported(made.id))
    expect(again).toBe(toLeveledArchive(archive).replace('"Untitled Base"', '"Twin"'))
    const twin = await tableOf(made.id, 'Books')
    for (const field of ['By', 'Counts', 'Sum', 'Shown']) {
      expect(await world.textsOf(twin, field)).toEqual(await world.textsOf(books, field))
      expect(archive).not.toContain('"One: ')
    }
    const twins = await tableOf(made.id, 'Authors')
    expect(await world.textsOf(twins, 'Books')).toEqual(await world.textsOf(authors, 'Books'))
    // What is changed there follows there, and not here.
    await world.change(twins, authors.recordIds[0], { Name: 'Eve', Count: 7 })
    expect((await world.textsOf(twin, 'By'))[0]).toBe('Bob, Eve')
    expect((await world.textsOf(books, 'By'))[0]).toBe('Bob, Ada')
  })

  test('[ARCHIVE-70] say of which tables the search index was switched, and older ones say nothing of it', async () => {
    const { api, baseId } = world
    for (const name of ['Plain', 'On', 'Off']) await world.makeNames(name, 'a')
    const type = 'search' as const
    const versionOf = (content: string) => JSON.parse(content.split('\n')[0] ?? '').version
    const plain = await exported()
    expect(plain).not.toContain('searchIndex')
    expect(versionOf(plain)).toBe(2)
    expect(versionOf(await exported(baseId, { includeTrash: true }))).toBe(4)
    const toggle = async (name: string) =>
      api.tables.toggleIndex({ baseId, tableId: (await tableOf(baseId, name)).id, type })
    await toggle('On')
    await toggle('Off')
    await toggle('Off')
    const archive = await exported()
    expect(versionOf(archive)).toBe(5)
    for (const [content, isOn] of [
      [archive, true],
      [plain, false],
    ] as const) {
      const made = await imported(content)
      const active = async (name: string) => {
        const { id: tableId } = await tableOf(made.id, name)
        return api.tables.listActiveIndexes({ baseId: made.id, tableId })
      }
      expect(await active('Plain')).toEqual([])
      expect(await active('On')).toEqual(isOn ? ['search'] : [])
      expect(await active('Off')).toEqual([])
      const again = toLeveledArchive(await exported(made.id))
      expect(again).toBe(toLeveledArchive(content))
      await world.finishJobs()
      expect(await active('On')).toEqual(isOn ? ['search'] : [])
      expect(await problemsOf(made.id)).toEqual([])
    }
  })

  test('[ARCHIVE-1] have links that are required, but no record without one', async () => {
    const { authors, books, by } = await makeLinked()
    await world.change(books, books.recordIds[1], { By: authors.recordIds })
    const { options } = await world.fieldOf(books, 'By')
    const asked = { type: 'link', options, notNull: true }
    await world.api.fields.convertField({ tableId: books.id, fieldId: by.id, ...asked } as never)
    const archive = await exported()
    // In one piece, and in many.
    for (const few of [{}, recordsPerSlice(1)]) {
      const made = await withLimits(few, () => imported(archive))
      const twin = await tableOf(made.id, 'Books')
      expect(await world.textsOf(twin, 'By')).toEqual(await world.textsOf(books, 'By'))
      expect((await world.fieldOf(twin, 'By')).notNull).toBe(true)
      const emptying = world.change(twin, books.recordIds[0], { By: null })
      await expect(emptying).rejects.toMatchObject({ code: 'validation_error' })
      expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
      expect(await problemsOf(made.id)).toEqual([])
    }
    const lines = archive.split('\n').slice(0, -2)
    const without = lines.filter((line) => !line.startsWith(`["${books.recordIds[2]}","`))
    expect(without).toHaveLength(lines.length - 1)
    const forged = archiveOf(without.map((line) => JSON.parse(line)))
    await expect(imported(forged)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('"By" is required'),
    })
  })

  test('[ARCHIVE-1] have tables of one name, and sorts that stay no order', async () => {
    const { id: tableId, primaryId: fieldId } = await world.makeNames('Books', 'One', 'Two')
    const other = await world.makeNames('Others', 'Three')
    await world.api.tables.renameTable({
      ...{ baseId: world.baseId, tableId: other.id, name: 'Books' },
    })
    const sort = { sortObjs: [{ fieldId, order: 'desc' as const }], manualSort: false }
    await world.api.views.createView({ tableId, type: 'grid', name: 'Sorted', sort })
    const archive = await exported()
    const made = await imported(archive, { name: 'Untitled Base' })
    expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
  })

  test('[ARCHIVE-1] have tables whose last view was deleted', async () => {
    const { id: tableId } = await world.makeNames('Books', 'One')
    const [view] = await world.api.views.listViews({ tableId })
    await world.api.views.deleteView({ tableId, viewId: view?.id ?? '' })
    const archive = await exported()
    const made = await imported(archive, { name: 'Untitled Base' })
    expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
  })

  test('[ARCHIVE-1] have lookups whose link was deleted, which name no table elsewhere', async () => {
    const { books, by } = await makeLinked()
    await world.api.fields.deleteFields({ tableId: books.id, fieldIds: [by.id] })
    const archive = await exported()
    const made = await imported(archive, { name: 'Untitled Base' })
    const again = await exported(made.id)
    expect(again).not.toContain(books.id)
    expect(toLeveledArchive(again)).toBe(toLeveledArchive(archive))
  })

  test('[ARCHIVE-1] have lookups of links that say what they said last, of what is made', async () => {
    const table = await world.makeNames('Parts', 'One')
    const { id: tableId } = table
    const [view] = await world.api.views.listViews({ tableId })
    const options = { relationship: 'oneOne', foreignTableId: tableId, isOneWay: true }
    const addLink = (name: string) =>
      world.addField(table, {
        ...{ type: 'link', name, options: { ...options, filterByViewId: view?.id } },
      })
    const addLookup = (name: string, linkFieldId: string, lookupFieldId: string) => {
      const lookupOptions = { foreignTableId: tableId, linkFieldId, lookupFieldId }
      return world.addField(table, { type: 'link', name, isLookup: true, lookupOptions })
    }
    const [kept, lost] = [await addLink('Kept'), await addLink('Lost')]
    await addLookup('Whole', kept.id, kept.id)
    await addLookup('Without all', lost.id, lost.id)
    await addLookup('Without its link', lost.id, kept.id)
    const cut = await addLookup('Without what it shows', kept.id, lost.id)
    await addLookup('Of that', kept.id, cut.id)
    await world.api.fields.deleteFields({ tableId, fieldIds: [lost.id] })
    const archive = await exported()
    const made = await imported(archive, { name: 'Untitled Base' })
    const again = await exported(made.id)
    for (const id of [world.baseId, tableId, view?.id]) expect(again).not.toContain(id)
    expect(toLeveledArchive(again)).toBe(toLeveledArchive(archive))
  })

  test('[ARCHIVE-1] have a field of every type, with the numbers and makers of records', async () => {
    const choices = [{ name: 'a' }, { name: 'b' }]
    const types = [
      { type: 'singleLineText', name: 'Name', options: { defaultValue: 'x' } },
      { type: 'longText', name: 'Long', unique: true },
      { type: 'user', name: 'User', options: { isMultiple: false } },
      { type: 'user', name: 'Users', options: { isMultiple: true } },
      { type: 'attachment', name: 'Files' },
      { type: 'checkbox', name: 'Done' },
      { type: 'multipleSelect', name: 'Tags', options: { choices } },
      { type: 'singleSelect', name: 'Tag', options: { choices } },
      { type: 'date', name: 'Day' },
      { type: 'number', name: 'Count', notNull: true },
      { type: 'rating', name: 'Stars' },
      { type: 'formula', name: 'Sum', options: { expression: '{Count} + 1' } },
      { type: 'createdTime', name: 'Made' },
      { type: 'lastModifiedTime', name: 'Changed' },
      { type: 'createdBy', name: 'Maker' },
      { type: 'lastModifiedBy', name: 'Changer' },
      { type: 'autoNumber', name: 'Number' },
      { type: 'button', name: 'Button' },
    ]
    const { userId } = world.ada
    const row = {
      ...{ Name: 'One', Long: 'a\nb', User: userId, Users: [userId], Done: true },
      ...{ Tags: ['b', 'a'], Tag: 'a', Day: '2026-03-01T00:00:00.000Z', Count: -0.5, Stars: 3 },
      ...{ Button: { count: 2 } },
    }
    const table = await world.makeTable('All', types, [{ Count: 1 }, row, { Count: 2 }])
    const tracked = { trackedFieldIds: [(await world.fieldOf(table, 'Count')).id] }
    await world.addField(table, { type: 'lastModifiedTime', name: 'Counted', options: tracked })
    await world.addField(table, { type: 'lastModifiedBy', name: 'Counter', options: tracked })
    await world.change(table, table.recordIds[1], { Count: 9 })
    await world.remove(table, table.recordIds[0])
    const archive = await exported()
    const made = await imported(archive)
    expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
    const twin = await tableOf(made.id, 'All')
    const fields = await world.api.fields.listFields({ tableId: table.id })
    expect(new Set(fields.map(({ type }) => type)).size).toBe(17)
    for (const { name } of fields) {
      expect(await world.cellsOf(twin, name)).toEqual(await world.cellsOf(table, name))
    }
    const numbers = async ({ id: tableId }: { id: string }) =>
      (await world.api.records.listRecords({ tableId })).records.map((one) => one.autoNumber)
    expect(await numbers(twin)).toEqual([2, 3])
    await world.add(twin, { Count: 5, Long: 'new' })
    expect(await numbers(twin)).toEqual([2, 3, 4])
    await expect(world.add(twin, { Count: 6, Long: 'new' })).rejects.toThrow('unique')
  })

  test('[ARCHIVE-1] [ARCHIVE-2] have the tree, views, and the orders of rows', async () => {
    const { views, tree } = world.api
    const { books, by, authors } = await makeLinked()
    const { baseId } = world
    const folder = await tree.createNode({ baseId, resourceType: 'folder', name: 'Shelf' })
    await tree.createNode({
      ...{ baseId, resourceType: 'dashboard', name: 'Sums', parentId: folder.id },
    })
    await tree.createNode({ baseId, resourceType: 'workflow', name: 'Flow' })
    await tree.moveNode({ baseId, nodeId: books.id, parentId: folder.id })
    const [one = '', , three = ''] = books.recordIds
    const hand = await views.createView({ tableId: books.id, type: 'grid', name: 'By hand' })
    await views.moveRows({
      ...{ tableId: books.id, viewId: hand.id, anchorId: one, position: 'before' },
      recordIds: [three],
    })
    const filterSet = [{ fieldId: by.id, operator: 'hasAnyOf', value: [authors.recordIds[0]] }]
    await views.createView({
      ...{ tableId: books.id, type: 'kanban', name: 'Of Ada', isLocked: true },
      filter: { conjunction: 'and', filterSet },
      sort: { sortObjs: [{ fieldId: books.primaryId, order: 'desc' }] },
      columnMeta: { [by.id]: { visible: true, order: 3 } },
    } as never)
    const archive = await exported()
    const made = await imported(archive)
    expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
    const twin = await tableOf(made.id, 'Books')
    const shown = async (table: { id: string }, name: string) => {
      const found = (await views.listViews({ tableId: table.id })).find(
        (view) => view.name === name,
      )
      const { records } = await world.api.records.listRecords({
        ...{ tableId: table.id, viewId: found?.id },
      })
      return records.map((record) => record.name)
    }
    expect(await shown(twin, 'By hand')).toEqual(['Three', 'One', 'Two'])
    expect(await shown(twin, 'Of Ada')).toEqual(['One'])
    await world.add(twin, { Name: 'Four' })
    expect(await shown(twin, 'By hand')).toEqual(['Three', 'One', 'Two', 'Four'])
    const empty = await imported(await exported(baseId, { includeData: false }))
    expect(await shown(await tableOf(empty.id, 'Books'), 'By hand')).toEqual([])
    expect(await problemsOf(empty.id)).toEqual([])
  })

  test('[ARCHIVE-1] have dashboards in the order of their list, those of one moment too', async () => {
    const { bases, dashboards } = world.api
    const { id: baseId } = await bases.createBase({ spaceId })
    for (const name of ['E', 'B', 'F', 'A', 'D', 'C']) {
      await dashboards.createDashboard({ baseId, name })
    }
    const copy = await bases.duplicateBase({ fromBaseId: baseId, spaceId })
    const made = await imported(await exported(copy.id))
    const listed = (of: string) => dashboards.listDashboards({ baseId: of })
    const names = (await listed(copy.id)).map(({ name }) => name)
    expect((await listed(made.id)).map(({ name }) => name)).toEqual(names)
  })

  test('[ARCHIVE-3] have nothing of the trash, and no shares', async () => {
    const { books } = await makeLinked()
    await world.remove(books, books.recordIds[0])
    const [view] = await world.api.views.listViews({ tableId: books.id })
    const share = await world.api.views.enableShare({
      ...{ tableId: books.id, viewId: view?.id ?? '' },
    })
    const gone = await world.makeNames('Gone', 'Secret')
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: gone.id })
    const { store } = world.engine
    await store.write(async (tx) => {
      const [shown] = await tx.views.listOf(books.id)
      if (!shown) throw new Error('there is a view')
      const id = 'viwPlugin0000000000'
      await tx.views.insert([{ ...shown, id, type: 'plugin', options: { pluginId: 'plgHidden' } }])
    })
    const archive = await exported()
    const made = await imported(archive)
    const twin = await tableOf(made.id, 'Books')
    const types = (await world.api.views.listViews({ tableId: twin.id })).map(({ type }) => type)
    expect(types).toEqual(['grid', 'grid'])
    for (const text of ['plgHidden', '"One"', 'Gone', 'Secret', share.shareId]) {
      expect(archive).not.toContain(text)
    }
  })

  test('[ARCHIVE-5] have texts in the place of what reads other bases', async () => {
    const other = await world.api.bases.createBase({ spaceId })
    const table = await world.makeTable(
      'Elsewhere',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'Far' }, { Name: 'Near' }],
      other.id,
    )
    const books = await world.makeNames('Books', 'One')
    const link = { relationship: 'manyMany', foreignTableId: table.id, baseId: other.id }
    const by = await world.addField(books, { type: 'link', name: 'By', options: link })
    await world.addField(books, {
      ...{ type: 'singleLineText', name: 'Names', isLookup: true },
      lookupOptions: {
        foreignTableId: table.id,
        linkFieldId: by.id,
        lookupFieldId: table.primaryId,
      },
    })
    await world.change(books, books.recordIds[0], { By: table.recordIds })
    const made = await imported(await exported())
    const twin = await tableOf(made.id, 'Books')
    for (const name of ['By', 'Names']) {
      expect(await world.fieldOf(twin, name)).toMatchObject({ type: 'longText', options: {} })
      expect(await world.cellsOf(twin, name)).toEqual(['Far, Near'])
    }
    // What doesn't fit into a cell, or into the record, is cut off; a character in two halves is not parted.
    await world.api.records.updateRecord({
      ...{ tableId: table.id, recordId: table.recordIds[0] ?? '' },
      record: { fields: { Name: `${'x'.repeat(33)}😀` } },
    })
    await withLimits({ cellBytes: 38, recordBytes: 60 }, async () => {
      const cut = await tableOf((await imported(await exported())).id, 'Books')
      expect(await world.cellsOf(cut, 'By')).toEqual([`${'x'.repeat(33)}😀,`])
      expect(await world.cellsOf(cut, 'Names')).toEqual(['x'.repeat(60 - 38 - 'One'.length)])
    })
    await world.clear()
    await world.api.bases.deleteBasePermanently({ baseId: other.id })
  })

  test('[ARCHIVE-3] have no token of a webhook', async () => {
    const { api, baseId } = world
    const trigger = { type: 'webhook', config: {} } as const
    const { id: workflowId, nodes } = await api.workflows.createWorkflow({
      ...{ baseId, name: 'Called', trigger },
    })
    const triggerId = nodes[0]?.id ?? ''
    await api.workflows.generateWebhookToken({ baseId, workflowId, triggerId })
    const archive = await exported()
    expect(archive).not.toContain('Hash')
    const made = await imported(archive)
    const listed = await api.workflows.listWorkflows({ baseId: made.id })
    const copy = listed.find(({ name }) => name === 'Called')
    expect(copy?.nodes).toMatchObject([{ type: 'webhook', hasToken: false }])
  })

  test('[ARCHIVE-18] have buttons start the workflows that are made of theirs', async () => {
    const { api, baseId } = world
    const { id: workflowId } = await api.workflows.createWorkflow({ baseId, name: 'Started' })
    const { id: tableId } = await api.tables.createTable({ baseId, name: 'Starting' })
    const options = { workflow: { id: workflowId } }
    await api.fields.createField({ tableId, type: 'button', name: 'Start', options })
    const made = { baseId: (await imported(await exported())).id }
    const started = (await api.workflows.listWorkflows(made)).find(({ name }) => name === 'Started')
    const table = (await api.tables.listTables(made)).find(({ name }) => name === 'Starting')
    const fields = await api.fields.listFields({ tableId: table?.id ?? '' })
    const button = fields.find(({ name }) => name === 'Start')
    expect(started?.id).not.toBe(workflowId)
    expect(button?.options).toMatchObject({ workflow: { id: started?.id } })
  })

  test('[ARCHIVE-10] are refused where all their settings are more than one is read with', async () => {
    const { api, baseId } = world
    await api.tree.createNode({ baseId, resourceType: 'folder', name: 'x'.repeat(100) })
    const refused = { code: 'validation_error', message: expect.stringContaining('the settings') }
    const few = { archiveSettingsWeight: 100 }
    await expect(withLimits(few, () => exported())).rejects.toMatchObject(refused)
  })

  test('[ARCHIVE-6] name people of the space alone', async () => {
    const bob = await world.newPerson('Bob')
    const { api } = world
    const base = { baseId: world.baseId }
    const bobs = { principalId: bob.userId, principalType: 'user' } as const
    await api.collaborators.addBaseCollaborators({
      ...{ ...base, collaborators: [bobs], role: 'creator' },
    })
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'user', name: 'User' },
      { type: 'user', name: 'Users', options: { isMultiple: true } },
    ]
    const table = await world.makeTable('Tasks', fields, [])
    const record = { User: bob.userId, Users: [world.ada.userId, bob.userId] }
    await bob.api.records.createRecords({ tableId: table.id, records: [{ fields: record }] })
    const made = await imported(await exported())
    const twin = await tableOf(made.id, 'Tasks')
    expect(await world.cellsOf(twin, 'User')).toEqual([null])
    expect(await world.cellsOf(twin, 'Users')).toMatchObject([[{ id: world.ada.userId }]])
    const { records } = await api.records.listRecords({ tableId: twin.id })
    expect(records).toMatchObject([{ createdBy: 'ada' }])
    await api.collaborators.removeBaseCollaborator({ ...base, ...bobs })
  })

  test('[ARCHIVE-7] have files, which get tokens of the space and are what their bytes are', async () => {
    const { api } = world
    const types = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'attachment', name: 'Files' },
    ]
    const table = await world.makeTable('Papers', types, [{ Name: 'One' }, { Name: 'Two' }])
    const fieldId = (await world.fieldOf(table, 'Files')).id
    const bytes = new TextEncoder().encode('long '.repeat(50_000))
    const file = {
      name: 'note.txt',
      stream: async function* () {
        yield bytes
      },
    }
    for (const recordId of table.recordIds) {
      await api.attachments.uploadAttachment({ tableId: table.id, recordId, fieldId, file })
    }
    const archive = await exported()
    const elsewhere = await api.spaces.createSpace({ name: 'Elsewhere' })
    const made = await imported(archive, { spaceId: elsewhere.id })
    const twin = await tableOf(made.id, 'Papers')
    type Item = { readonly token: string; readonly presignedUrl: string }
    const before = (await world.cellsOf(table, 'Files')).flat() as Item[]
    const after = (await world.cellsOf(twin, 'Files')).flat() as Item[]
    expect(after).toMatchObject(
      before.map(() => ({ name: 'note.txt', size: bytes.length, mimetype: 'text/plain' })),
    )
    expect(after.some(({ token }) => before.some((one) => one.token === token))).toBe(false)
    expect(toLeveledArchive(await exported(made.id))).toBe(toLeveledArchive(archive))
    // The archive calls it a web page, which it isn't.
    const forged = archive.replaceAll('"mimetype":"text/plain"', '"mimetype":"text/html"')
    await expect(imported(forged)).rejects.toThrow('was changed after it was written')
  })
})

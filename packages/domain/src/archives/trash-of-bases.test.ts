import { toLeveledArchive } from '@gateleg/testing/observations/leveled-archive'
import { listTrashOf, restoreTrashOf } from '@gateleg/testing/observations/trash-of-base'
import { archiveOf } from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'

const settings = { ...defaultSettings, recordHistoryDays: 30 }

describeOnEveryStorage('trash of bases in archives', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage, { settings }))
  let books: TestTable
  let authors: TestTable

  beforeEach(async () => {
    authors = await world.makeNames('Authors', 'Ada', 'Bob')
    books = await world.makeNames('Books', 'One', 'Two', 'Three')
    const options = { relationship: 'manyMany', foreignTableId: authors.id }
    await world.addField(books, { type: 'link', name: 'By', options })
    await world.change(books, books.recordIds[0], { By: authors.recordIds.toReversed() })
    await world.change(books, books.recordIds[1], { By: authors.recordIds.slice(0, 1) })
  })
  afterEach(async () => {
    const { api, baseId, ada } = world
    for (const { id } of await api.bases.listBases({ spaceId: ada.spaceId })) {
      if (id !== baseId) await api.bases.deleteBasePermanently({ baseId: id })
    }
    await world.clear()
    await api.trash.resetTrash({ resourceType: 'base', resourceId: baseId })
    for (const { id: nodeId } of (await api.tree.listNodes({ baseId })).toReversed()) {
      await api.tree.deleteNodePermanently({ baseId, nodeId })
    }
    await world.finishJobs()
  })

  const exported = async (baseId = world.baseId, more: object = {}) => {
    let text = ''
    const asked = { baseId, includeTrash: true, ...more }
    for await (const part of await world.api.archives.exportBase(asked)) text += part
    return text
  }
  const imported = async (content: string) => {
    const { spaceId } = world.ada
    return (await world.api.archives.importBase({ spaceId, content })).id
  }
  const tableIn = async (baseId: string, name: string) => {
    const tables = await world.api.tables.listTables({ baseId })
    return { id: tables.find((one) => one.name === name)?.id ?? '' }
  }
  const seenIn = async (baseId: string) =>
    (await listTrashOf(world.api, baseId)).map(({ place, seen }) => ({ place, ...seen }))
  /** The cells of a field as people read them, without what tells a file from another one of its name. */
  const textsOf = async (table: Pick<TestTable, 'id'>, name: string) =>
    (await world.textsOf(table, name)).map(
      (text) => text && String(text).replace(/ \(\w{64}\)/g, ''),
    )
  const fieldIdOf = async (table: Pick<TestTable, 'id'>, name: string) =>
    (await world.fieldOf(table, name)).id
  const removeTable = ({ id: tableId }: Pick<TestTable, 'id'>) =>
    world.api.tables.deleteTable({ baseId: world.baseId, tableId })
  const removeField = async (table: TestTable, name: string) =>
    world.api.fields.deleteField({ tableId: table.id, fieldId: await fieldIdOf(table, name) })
  /** Restores all that lies in the trash of both, in the same order. */
  const restoreBoth = async (baseId: string) => {
    const log = await restoreTrashOf(world.api, baseId)
    expect(log).toEqual(await restoreTrashOf(world.api, world.baseId))
    await world.finishJobs()
    return log
  }
  const upload = async (table: TestTable, recordId: string, fieldName: string, text: string) => {
    const fieldId = await fieldIdOf(table, fieldName)
    const file = {
      name: `${text}.txt`,
      stream: async function* () {
        yield new TextEncoder().encode(text)
      },
    }
    await world.api.attachments.uploadAttachment({ tableId: table.id, recordId, fieldId, file })
  }

  test('[ARCHIVE-21] has tables, with their files, people and changes, and links at both ends', async () => {
    const [ada = ''] = authors.recordIds
    await world.addField(authors, { type: 'attachment', name: 'Files' })
    await world.addField(authors, { type: 'user', name: 'Reader', options: { isMultiple: true } })
    await upload(authors, ada, 'Files', 'Hello')
    await world.change(authors, ada, { Reader: [world.ada.userId] })
    await world.change(authors, ada, { Name: 'Ada L' })
    const expression = `{${authors.primaryId}} & "!"`
    await world.addField(authors, { type: 'formula', name: 'Loud', options: { expression } })
    await world.remove(authors, authors.recordIds[1])
    await removeTable(authors)
    const content = await exported(world.baseId, { includeHistory: true })
    const twinId = await imported(content)
    expect(await seenIn(twinId)).toEqual(await seenIn(world.baseId))
    const again = await exported(twinId, { includeHistory: true })
    expect(toLeveledArchive(again)).toBe(toLeveledArchive(content))
    const log = await restoreBoth(twinId)
    expect(log.filter((line) => line.endsWith('restored'))).toHaveLength(2)
    const twins = {
      books: await tableIn(twinId, 'Books'),
      authors: await tableIn(twinId, 'Authors'),
    }
    expect(await textsOf(twins.books, 'By')).toEqual(['Bob, Ada L', 'Ada L', null])
    for (const name of ['Name', 'Books', 'Files', 'Reader', 'Loud']) {
      expect(await textsOf(twins.authors, name)).toEqual(await textsOf(authors, name))
    }
    expect(await textsOf(twins.authors, 'Files')).toEqual(['Hello.txt', null])
    expect(await textsOf(twins.authors, 'Loud')).toEqual(['Ada L!', 'Bob!'])
    const { historyList } = await world.api.history.listTableHistory({ tableId: twins.authors.id })
    const changes = historyList.map(({ before, after }) => [before.data, after.data])
    expect(changes).toContainEqual(['Ada', 'Ada L'])
  })

  test('[ARCHIVE-21] has fields with their values, and what views set of them', async () => {
    const choices = [{ name: 'a' }, { name: 'b' }]
    const tag = await world.addField(books, {
      type: 'singleSelect',
      name: 'Tag',
      options: { choices },
    })
    await world.addField(books, { type: 'attachment', name: 'Cover' })
    await upload(books, books.recordIds[1] ?? '', 'Cover', 'Front')
    await world.change(books, books.recordIds[0], { Tag: 'b' })
    const expression = `{${tag.id}} & "!"`
    await world.addField(books, { type: 'formula', name: 'Loud', options: { expression } })
    const filterSet = [{ fieldId: tag.id, operator: 'is', value: 'b' }]
    await world.api.views.createView({
      ...{ tableId: books.id, type: 'grid', name: 'Tagged' },
      filter: { conjunction: 'and', filterSet },
      columnMeta: { [tag.id]: { width: 99, order: 0.5 } },
    } as never)
    for (const name of ['Tag', 'Cover', 'By']) await removeField(books, name)
    const content = await exported()
    const twinId = await imported(content)
    expect(await seenIn(twinId)).toEqual(await seenIn(world.baseId))
    const twin = await tableIn(twinId, 'Books')
    expect(await world.fieldOf(twin, 'Loud')).toMatchObject({ hasError: true })
    expect(await restoreBoth(twinId)).toHaveLength(3)
    for (const name of ['Tag', 'Cover', 'By', 'Loud']) {
      expect(await textsOf(twin, name)).toEqual(await textsOf(books, name))
    }
    const tagged = (await world.api.views.listViews({ tableId: twin.id })).at(-1)
    const tagId = await fieldIdOf(twin, 'Tag')
    expect(tagged?.filter).toMatchObject({ filterSet: [{ fieldId: tagId, value: 'b' }] })
    expect(tagged?.columnMeta[tagId]).toMatchObject({ width: 99 })
  })

  test('[ARCHIVE-21] has views, with what people set of them and the orders of their rows', async () => {
    const { api } = world
    const [first = '', , last = ''] = books.recordIds
    const tableId = books.id
    const { id: viewId } = await api.views.createView({
      ...{ tableId, type: 'grid', name: 'By hand' },
      columnMeta: { [await fieldIdOf(books, 'Count')]: { hidden: true } },
    } as never)
    const rows = { anchorId: first, position: 'before' as const, recordIds: [last] }
    await api.views.moveRows({ tableId, viewId, ...rows })
    await api.views.deleteView({ tableId, viewId })
    const twinId = await imported(await exported())
    expect(await seenIn(twinId)).toEqual(await seenIn(world.baseId))
    expect(await restoreBoth(twinId)).toHaveLength(1)
    const twin = await tableIn(twinId, 'Books')
    const view = (await api.views.listViews({ tableId: twin.id })).at(-1)
    expect(view?.name).toBe('By hand')
    expect(view?.columnMeta[await fieldIdOf(twin, 'Count')]).toMatchObject({ hidden: true })
    const { records } = await api.records.listRecords({ tableId: twin.id, viewId: view?.id ?? '' })
    expect(records.map(({ fields }) => fields.Name)).toEqual(['Three', 'One', 'Two'])
  })

  test('[ARCHIVE-21] has dashboards and workflows with their places, and can be purged', async () => {
    const { api, baseId } = world
    const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Shelf' })
    const made = async (resourceType: 'dashboard' | 'workflow', name: string) =>
      api.tree.createNode({ baseId, resourceType, name, parentId: folder.id })
    const sums = await made('dashboard', 'Sums')
    const flow = await made('workflow', 'Flow')
    await made('dashboard', 'More')
    const options = { label: 'Go', workflow: { id: flow.resourceId } }
    await world.addField(books, { type: 'button', name: 'Start', options })
    await api.tree.deleteNode({ baseId, nodeId: sums.id })
    await api.tree.deleteNode({ baseId, nodeId: flow.id })
    const content = await exported()
    const twinId = await imported(content)
    const [first, second] = [await listTrashOf(api, twinId), await listTrashOf(api, baseId)]
    expect(first.map(({ seen }) => seen)).toEqual(second.map(({ seen }) => seen))
    await restoreBoth(twinId)
    const shape = async (id: string) =>
      (await api.tree.listNodes({ baseId: id })).map(({ resourceMeta, resourceType, parentId }) => [
        ...[resourceMeta.name, resourceType, parentId === null],
      ])
    expect(await shape(twinId)).toEqual(await shape(baseId))
    const [workflow] = await api.workflows.listWorkflows({ baseId: twinId })
    const button = await world.fieldOf(await tableIn(twinId, 'Books'), 'Start')
    expect(button.options).toMatchObject({ workflow: { id: workflow?.id } })
    const otherId = await imported(content)
    for (const { id } of await listTrashOf(api, otherId)) {
      await api.trash.purgeTrashEntry({ trashId: id })
    }
    await world.finishJobs()
    expect(await listTrashOf(api, otherId)).toEqual([])
    expect(await exported(otherId)).not.toContain('"deletion"')
  })

  test('[ARCHIVE-21] has the other end of a link that was deleted while its table lay in the trash', async () => {
    await removeTable(authors)
    await removeField(books, 'By')
    const twinId = await imported(await exported())
    expect(await seenIn(twinId)).toEqual(await seenIn(world.baseId))
    const log = await restoreBoth(twinId)
    expect(log.filter((line) => line.endsWith('restored'))).toHaveLength(2)
    const twin = await tableIn(twinId, 'Authors')
    expect(await textsOf(twin, 'Books')).toEqual(['One, Two', 'One'])
    expect(await textsOf(authors, 'Books')).toEqual(['One, Two', 'One'])
  })

  test('[ARCHIVE-21] has links that are required, whatever of them lies in the trash', async () => {
    await world.change(books, books.recordIds[2], { By: authors.recordIds })
    const { options, id: fieldId } = await world.fieldOf(books, 'By')
    const asked = { type: 'link', options, notNull: true }
    await world.api.fields.convertField({ tableId: books.id, fieldId, ...asked } as never)
    const expectRequired = async (twinId: string) => {
      const twin = await tableIn(twinId, 'Books')
      expect(await textsOf(twin, 'By')).toEqual(await textsOf(books, 'By'))
      expect(await world.fieldOf(twin, 'By')).toMatchObject({ notNull: true })
      const emptying = world.change(twin, books.recordIds[0], { By: null })
      await expect(emptying).rejects.toMatchObject({ code: 'validation_error' })
    }
    await removeField(books, 'By')
    const byField = await imported(await exported())
    expect(await restoreBoth(byField)).toHaveLength(1)
    await expectRequired(byField)
    await world.remove(books, books.recordIds[1])
    await removeTable(books)
    const byTable = await imported(await exported())
    expect(await restoreBoth(byTable)).toHaveLength(2)
    await expectRequired(byTable)
  })

  test('[ARCHIVE-23] has no table that was deleted while it was converted, and no link whose end is another thing', async () => {
    await withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, async () => {
      const values = await world.makeNames('Values', '1', '2', '3')
      await world.addField(values, { type: 'singleLineText', name: 'Text' })
      await world.convert(values, 'Text', { type: 'number' })
      await removeTable(values)
    })
    await removeTable(authors)
    await world.convert(books, 'By', { type: 'singleLineText' })
    const twinId = await imported(await exported())
    const names = (await seenIn(twinId)).map(({ things }) => things)
    expect(names).toEqual([[{ name: 'Authors' }]])
    await restoreTrashOf(world.api, twinId)
    const fields = await world.api.fields.listFields({
      tableId: (await tableIn(twinId, 'Authors')).id,
    })
    expect(fields.map(({ name }) => name)).toEqual(['Name', 'Count'])
    expect(await textsOf(await tableIn(twinId, 'Books'), 'By')).toHaveLength(3)
  })

  test('[ARCHIVE-23] has no field of a link whose other end is another thing by now', async () => {
    const { api, baseId } = world
    const restoreNewest = async () => {
      const { trashItems } = await api.trash.listTrashItems({
        ...{ resourceId: baseId, resourceType: 'base' },
      })
      await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    }
    await removeTable(authors)
    await removeField(books, 'By')
    world.clock.advance(1_000)
    await removeTable(books)
    // The end in Authors comes back while Books are away, and becomes a text.
    const { trashItems } = await api.trash.listTrashItems({
      ...{ resourceId: baseId, resourceType: 'base' },
    })
    await api.trash.restoreTrash({ trashId: trashItems[1]?.id ?? '' })
    await world.convert(authors, 'Books', { type: 'singleLineText' })
    await restoreNewest()
    const [entry, ...more] = await listTrashOf(api, baseId)
    expect([entry?.seen.things, more]).toMatchObject([[{ name: 'By' }], []])
    const restoring = api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    await expect(restoring).rejects.toMatchObject({ code: 'validation_error' })
    const twinId = await imported(await exported())
    expect(await seenIn(twinId)).toEqual([])
  })

  test('[ARCHIVE-5] [ARCHIVE-23] has deleted links to other bases as texts, and no field that went along with one there', async () => {
    const { api, ada } = world
    const other = await api.bases.createBase({ spaceId: ada.spaceId })
    const readers = await world.makeTable(
      'Readers',
      [{ type: 'singleLineText', name: 'Name' }],
      [{ Name: 'Eve' }],
      other.id,
    )
    const link = (name: string, foreignTableId: string, baseId: string) => ({
      ...{ type: 'link', name, options: { relationship: 'manyMany', foreignTableId, baseId } },
    })
    await world.addField(books, link('Read by', readers.id, other.id))
    await world.change(books, books.recordIds[0], { 'Read by': readers.recordIds })
    await world.addField(readers, link('Wants', books.id, world.baseId))
    await removeField(books, 'Read by')
    await removeField(readers, 'Wants')
    const twinId = await imported(await exported())
    const [entry, ...more] = await seenIn(twinId)
    expect([entry, more]).toMatchObject([{ things: [{ name: 'Read by', type: 'longText' }] }, []])
    await restoreTrashOf(api, twinId)
    const twin = await tableIn(twinId, 'Books')
    expect(await textsOf(twin, 'Read by')).toEqual(['Eve', null, null])
    const names = (await api.fields.listFields({ tableId: twin.id })).map(({ name }) => name)
    expect(names).toEqual(['Name', 'Count', 'By', 'Read by'])
  })

  test('[ARCHIVE-24] says what deleted records were called whose names are computed, in the order of the entry', async () => {
    const expression = `"No. " & {${await fieldIdOf(books, 'Count')}}`
    await world.convert(books, 'Name', { type: 'formula', options: { expression } })
    const [first, second, third] = books.recordIds
    await world.remove(books, third, first)
    await world.change(books, second, { Count: 7 })
    const content = await exported()
    const twinId = await imported(content)
    const [entry] = await seenIn(twinId)
    expect(entry?.things).toEqual([{ name: 'No. 3' }, { name: 'No. 1' }])
    expect(await seenIn(twinId)).toEqual(await seenIn(world.baseId))
    expect(content).toContain('"No. 3"')
    expect(content).not.toContain('"No. 7"')
    await restoreBoth(twinId)
    const twin = await tableIn(twinId, 'Books')
    expect(await textsOf(twin, 'Name')).toEqual(['No. 1', 'No. 7', 'No. 3'])
  })

  test('[ARCHIVE-25] has cells of deleted fields apart for which a record has no room', async () => {
    await world.addField(books, { type: 'singleLineText', name: 'Long', unique: true })
    await world.addField(books, { type: 'attachment', name: 'Files' })
    await upload(books, books.recordIds[0] ?? '', 'Files', 'Hello')
    for (const [index, recordId] of books.recordIds.entries()) {
      await world.change(books, recordId, { Long: 'x'.repeat(20 + index) })
    }
    for (const name of ['Long', 'Files']) await removeField(books, name)
    const content = await withLimits({ recordBytes: 21 }, () => exported())
    expect(content.match(/\{"cells"/g)).toHaveLength(2)
    // In one piece, and in many.
    for (const recordsPerArchivePiece of [1_000, 1]) {
      const twinId = await withLimits({ recordsPerArchivePiece }, () => imported(content))
      const twin = await tableIn(twinId, 'Books')
      await restoreTrashOf(world.api, twinId)
      expect(await textsOf(twin, 'Long')).toEqual([20, 21, 22].map((n) => 'x'.repeat(n)))
      expect((await textsOf(twin, 'Files'))[0]).toBe('Hello.txt')
    }
  })

  test('[ARCHIVE-26] has so many deleted things at most', async () => {
    await removeField(books, 'By')
    await removeTable(authors)
    const content = await exported()
    const most = { deletedThingsPerArchive: 2 }
    const refused = { code: 'validation_error', message: expect.stringContaining('in the trash') }
    await withLimits(most, async () => {
      await expect(exported()).rejects.toMatchObject(refused)
      await expect(exported(world.baseId, { includeTrash: false })).resolves.toBeTruthy()
      await expect(imported(content)).rejects.toMatchObject(refused)
    })
    await withLimits({ archiveSettingsWeight: 2_000 }, () =>
      expect(exported()).rejects.toMatchObject({ code: 'validation_error' }),
    )
    await imported(content)
  })

  test('[ARCHIVE-13] breaks off where what lies in the trash comes back, or goes for good', async () => {
    const { api, baseId } = world
    await removeField(books, 'By')
    await removeTable(authors)
    const reading = async (change: () => Promise<unknown>) => {
      let isFirst = true
      for await (const _ of await api.archives.exportBase({ baseId, includeTrash: true })) {
        if (isFirst) await change()
        isFirst = false
      }
    }
    const [table, field] = await listTrashOf(api, baseId)
    const conflict = { code: 'conflict' }
    const restoring = reading(() => api.trash.restoreTrash({ trashId: table?.id ?? '' }))
    await expect(restoring).rejects.toMatchObject(conflict)
    const purging = reading(async () => {
      await api.trash.purgeTrashEntry({ trashId: field?.id ?? '' })
      await world.finishJobs()
    })
    await expect(purging).rejects.toMatchObject(conflict)
    await removeTable(authors)
    const [again] = await listTrashOf(api, baseId)
    const losing = reading(async () => {
      await api.trash.purgeTrashEntry({ trashId: again?.id ?? '' })
      await world.finishJobs()
    })
    await expect(losing).rejects.toMatchObject(conflict)
  })

  test('[ARCHIVE-22] keeps the times of deletions, by which it is purged', async () => {
    await removeTable(authors)
    await removeField(books, 'Count')
    const lines = (await exported()).split('\n').slice(0, -2)
    const past = '2020-01-02T00:00:00.000Z'
    const at = (time: string) =>
      archiveOf(
        lines.map((line) =>
          JSON.parse(line.replace(/"deletedTime":"[^"]*"/, `"deletedTime":"${time}"`)),
        ),
      )
    const now = new Date(world.clock.now()).toISOString()
    for (const [said, kept] of [
      [past, past],
      ['9999-01-01T00:00:00.000Z', now],
    ] as const) {
      const times = (await seenIn(await imported(at(said)))).map(({ deletedTime }) => deletedTime)
      expect(times).toEqual([kept, kept])
    }
  })
})

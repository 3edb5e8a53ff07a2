import { SeededIds } from '@gateleg/testing/doubles/seeded-ids'
import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { fileOf } from '@gateleg/testing/factories/file-of'
import { archiveHead, archiveOf } from '@gateleg/testing/operations/archives'
import {
  describeOnEveryStorage,
  suiteStorages,
  type TestStorage,
} from '@gateleg/testing/test-engine'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import type { IdKind } from '../ids/id-prefixes.ts'
import { defaultSettings } from '../settings.ts'

const settings = { ...defaultSettings, recordHistoryDays: 30 }

let worlds = 0

/** Ids of which no two worlds have the same, but those of people: what Ada made stays hers elsewhere. */
class OwnIds extends SeededIds {
  readonly #ofPeople = new SeededIds(new SeededRandom())

  constructor() {
    const random = new SeededRandom()
    random.restart(++worlds)
    super(random)
  }

  override next(kind: IdKind): string {
    return kind === 'user' ? this.#ofPeople.next(kind) : super.next(kind)
  }
}

const open = (storage: TestStorage) => openTableWorld(storage, { settings, ids: new OwnIds() })

/** A base with links, files, what follows from them, a tree, row orders, and a history. */
async function fill(world: TableWorld): Promise<TestTable> {
  const { api, baseId } = world
  const authors = await world.makeNames('Authors', 'Ada', 'Bob')
  const books = await world.makeNames('Books', 'One', 'Two')
  const by = await world.addField(books, {
    ...{ type: 'link', name: 'By' },
    options: { relationship: 'manyMany', foreignTableId: authors.id },
  })
  const read = {
    foreignTableId: authors.id,
    linkFieldId: by.id,
    lookupFieldId: authors.primaryId,
  }
  const names = { type: 'singleLineText', name: 'Names', isLookup: true, lookupOptions: read }
  await world.addField(books, names)
  await world.addField(books, { type: 'user', name: 'Reader', options: { isMultiple: true } })
  const { id: fieldId } = await world.addField(books, { type: 'attachment', name: 'Files' })
  const [one = ''] = books.recordIds
  const file = {
    name: 'a.txt',
    stream: async function* () {
      yield new TextEncoder().encode('Hello')
    },
  }
  await api.attachments.uploadAttachment({ tableId: books.id, recordId: one, fieldId, file })
  await world.change(books, one, {
    ...{ By: authors.recordIds.toReversed(), Reader: [world.ada.userId] },
  })
  await world.change(books, one, { Name: 'First' })
  // What was deleted has no part in it.
  const [gone] = await world.add(books, { Name: 'Gone' })
  await world.change(books, gone, { Name: 'Secret' })
  await world.remove(books, gone)
  const doomed = await world.addField(books, { type: 'longText', name: 'Doomed' })
  await world.change(books, one, { Doomed: 'Secret' })
  await api.fields.deleteField({ tableId: books.id, fieldId: doomed.id })
  const hand = await api.views.createView({ tableId: books.id, type: 'grid', name: 'By hand' })
  await api.views.moveRows({
    ...{ tableId: books.id, viewId: hand.id, anchorId: one, position: 'before' },
    recordIds: [books.recordIds[1] ?? ''],
  })
  const shelf = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Shelf' })
  const inShelf = { baseId, parentId: shelf.id }
  await api.tree.createNode({ ...inShelf, resourceType: 'dashboard', name: 'Sums' })
  await api.tree.createNode({ ...inShelf, resourceType: 'workflow', name: 'Flow' })
  return books
}

async function exported({ api, baseId }: TableWorld, more: object = { includeHistory: true }) {
  let text = ''
  for await (const part of await api.archives.exportBase({ baseId, ...more })) text += part
  return text
}

const imported = ({ api, ada }: TableWorld, content: string, sameIds = true) =>
  api.archives.importBase({ spaceId: ada.spaceId, content, sameIds })

/** What is told of changes that were of nothing which was deleted. */
async function historyOf({ api }: TableWorld, tableId: string) {
  const { historyList } = await api.history.listTableHistory({ tableId })
  const withoutPath = (member: string, value: unknown) => (member === 'path' ? undefined : value)
  return historyList
    .filter(({ after }) => after.data !== 'Secret')
    .map(({ id: _, ...entry }) => JSON.parse(JSON.stringify(entry, withoutPath)))
}

/** What a cell held, people by their names. */
const namesIn = ({ data }: { data: unknown }) =>
  Array.isArray(data) ? data.map(({ title }) => title).join() : data

const basesOf = async ({ api, ada }: TableWorld) =>
  (await api.bases.listBases({ spaceId: ada.spaceId })).length

describeOnEveryStorage('bases under the ids of an archive', (storage) => {
  const world = worldOfBlock(() => open(storage))
  let books: TestTable
  let content: string

  beforeAll(async () => {
    books = await fill(world)
    content = await exported(world)
  })

  test('[ARCHIVE-19] are refused to all but the administrator, and where the archive does not say the ids', async () => {
    const bob = await world.newPerson('Bob')
    const asked = bob.api.archives.importBase({ spaceId: bob.spaceId, content, sameIds: true })
    await expect(asked).rejects.toMatchObject({ code: 'restricted_resource' })
    const before = await basesOf(world)
    const head = { ...archiveHead, version: 2, id: 'bse0000000000000001' }
    const folder = { id: 'bnf0000000000000001', name: 'Shelf', folder: null }
    const file = { token: '../x', name: 'a', mimetype: 'text/plain', size: 0 }
    const wrong = [
      [[archiveHead], 'of version 2'],
      [[head, { folder }], 'of version 2'],
      [[head, { file }], 'line 2: the token of a file'],
    ] as const
    for (const [lines, message] of wrong) {
      const refusal = { code: 'validation_error', message: expect.stringContaining(message) }
      await expect(imported(world, archiveOf(lines))).rejects.toMatchObject(refusal)
      await world.finishJobs()
    }
    expect(await basesOf(world)).toBe(before)
  })

  test('[ARCHIVE-19] are refused where anything has one of the ids, in the trash or on its way out, too', async () => {
    const { api, baseId } = world
    const taken = { code: 'conflict', message: expect.stringContaining(baseId) }
    await expect(imported(world, content)).rejects.toMatchObject(taken)
    const [head = '', ...rest] = content.split('\n').slice(0, -2)
    const lines = [head.replace(baseId, 'bse0000000000000009'), ...rest]
    const other = archiveOf(lines.map((line) => JSON.parse(line)))
    const table = { code: 'conflict', message: expect.stringContaining(books.id) }
    await expect(imported(world, other)).rejects.toMatchObject(table)
    // Names of tables and indexes that differ in the case of letters alone are the same on some storages.
    const inCase = (id: string) => `${id.slice(0, 3)}${id.slice(3).toLowerCase()}`
    const cased = lines.with(0, head.replace(baseId, inCase(baseId)))
    const sameBase = archiveOf(cased.map((line) => JSON.parse(line)))
    await expect(imported(world, sameBase)).rejects.toMatchObject(taken)
    expect(await basesOf(world)).toBe(1)
    await world.finishJobs()
    await api.bases.deleteBase({ baseId })
    await expect(imported(world, content)).rejects.toMatchObject(taken)
    const { trashItems } = await api.trash.listTrash({ resourceType: 'base' })
    await api.trash.purgeTrashEntry({ trashId: trashItems[0]?.id ?? '' })
    const away = { code: 'conflict', message: expect.stringMatching(/taken away|are kept only/) }
    await expect(imported(world, content)).rejects.toMatchObject(away)
    await world.finishJobs()
    // Of two at once one comes, and the other is refused.
    const asked = [imported(world, content), imported(world, content)]
    const [refused, ...more] = (await Promise.allSettled(asked)).flatMap((one) =>
      one.status === 'rejected' ? one.reason : [],
    )
    expect([refused, more]).toMatchObject([{ code: 'conflict' }, []])
    expect((await imported(world, content).catch((error) => error)).code).toBe('conflict')
    expect(await exported(world)).toBe(content)
  })

  test('[ARCHIVE-50] are refused where another space has one of the files, and made where it lay', async () => {
    const { api } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'Left' })
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Files' })
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'attachment', name: 'Files' },
    ]
    const table = await world.makeTable('Files', fields, [{ Name: 'one' }], baseId)
    const { id: fieldId } = await world.fieldOf(table, 'Files')
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId }
    await api.attachments.uploadAttachment({ ...place, file: fileOf('a.txt', 'Hello') })
    const text = await exported({ ...world, baseId })
    await api.bases.deleteBase({ baseId })
    const { trashItems } = await api.trash.listTrash({ resourceType: 'base' })
    await api.trash.purgeTrashEntry({ trashId: trashItems[0]?.id ?? '' })
    await world.finishJobs()
    const before = await basesOf(world)
    await expect(imported(world, text)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"a.txt" of the archive is in another space'),
    })
    await world.finishJobs()
    expect(await basesOf(world)).toBe(before)
    await api.archives.importBase({ spaceId, content: text, sameIds: true })
    expect(await exported({ ...world, baseId })).toBe(text)
  })

  test('[ARCHIVE-20] have no history unless it is asked for', async () => {
    expect(content).toContain('"history"')
    expect(content).not.toMatch(/Secret|Gone|Doomed/)
    expect(await exported(world, {})).not.toContain('"history"')
    const none = exported(world, { includeHistory: true, includeData: false })
    await expect(none).rejects.toMatchObject({ code: 'validation_error' })
    const scopes = new Set<Action>(['base|read_all', 'base|table_export'])
    const { userId } = world.ada
    const api = world.engine.as({ kind: 'token', userId, tokenId: 'acc1', scopes })
    expect(await exported({ ...world, api }, {})).not.toContain('"history"')
    const byToken = exported({ ...world, api })
    await expect(byToken).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  test('[ARCHIVE-20] have the history of what came, under ids of its own', async () => {
    const made = await imported(world, content, false)
    const tables = await world.api.tables.listTables({ baseId: made.id })
    const twin = tables.find(({ name }) => name === 'Books')?.id ?? ''
    const told = await historyOf(world, twin)
    const withoutIds = (entries: typeof told) =>
      JSON.stringify(entries).replace(/"(token|fieldId|tableId)":"[^"]*"/g, '')
    const own = await historyOf(world, books.id)
    expect(withoutIds(told)).toBe(withoutIds(own))
    expect(new Set(told.map(({ fieldId }) => fieldId)).size).toBe(4)
    for (const { fieldId } of told) expect(content).not.toContain(fieldId)
  })

  test('[ARCHIVE-51] have no history of people whom nobody knows here', async () => {
    const { api, ada } = world
    const { id: spaceId } = await api.spaces.createSpace({ name: 'People' })
    const { id: baseId } = await api.bases.createBase({ spaceId, name: 'People' })
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'user', name: 'Readers', options: { isMultiple: true } },
    ]
    const table = await world.makeTable('People', fields, [{ Name: 'one' }], baseId)
    const cyd = await world.newPerson('Cyd')
    const principal = { principalId: cyd.userId, principalType: 'user' as const }
    await api.collaborators.addBaseCollaborators({
      ...{ baseId, role: 'editor', collaborators: [principal] },
    })
    const [one] = table.recordIds
    await world.change(table, one, { Readers: [cyd.userId] })
    await world.change(table, one, { Readers: [cyd.userId, ada.userId] })
    await world.change(table, one, { Readers: [ada.userId], Name: 'two' })
    const text = await exported({ ...world, baseId })
    const made = await imported(world, text, false)
    const [twin] = await api.tables.listTables({ baseId: made.id })
    const told = await historyOf(world, twin?.id ?? '')
    expect(told.map(({ before, after }) => [before, after].map(namesIn))).toEqual([
      ['one', 'two'],
      [null, 'ada'],
    ])
  })

  test('[ARCHIVE-20] are refused with a history that nothing here could have', async () => {
    const lines = content.split('\n').slice(0, -2)
    const at = lines.findIndex((line) => line.startsWith('{"history"'))
    const [record, number, time, version, user, cell] = JSON.parse(lines[at + 1] ?? '')
    const wrong = [
      [record, number, time, version, user],
      [record, number, 'yesterday', version, user, cell],
      [record, number, time, version, user, { ...cell, fieldId: 'fld0000000000000001' }],
      [record, number, time, version, user, { ...cell, type: 'user', before: [1] }],
      [record, number, time, version, user, { ...cell, type: 'attachment', after: [{}] }],
      [record, number, time, version, user, { ...cell, after: 'x'.repeat(200_000) }],
    ]
    for (const list of wrong) {
      const forged = lines.with(at + 1, JSON.stringify(list)).map((line) => JSON.parse(line))
      const refusal = {
        code: 'validation_error',
        message: expect.stringContaining(`line ${at + 2}`),
      }
      await expect(imported(world, archiveOf(forged), false)).rejects.toMatchObject(refusal)
    }
    // What is of no record that came is passed over.
    const strange = lines.with(at + 1, JSON.stringify(['recNone', 99, time, 1, user, cell]))
    const made = await imported(world, archiveOf(strange.map((line) => JSON.parse(line))), false)
    const tables = await world.api.tables.listTables({ baseId: made.id })
    const shown = await Promise.all(tables.map(({ id }) => historyOf(world, id)))
    expect(JSON.stringify(shown)).not.toContain('recNone')
  })
})

const directions = suiteStorages().flatMap((from) =>
  suiteStorages().flatMap((to) => (from === to ? [] : { from, to })),
)

describe.each(directions)('bases of $from.name under their ids on $to.name', ({ from, to }) => {
  const here = worldOfBlock(() => open(from))
  const there = worldOfBlock(() => open(to))

  test('[ARCHIVE-19] [ARCHIVE-20] are as they were: their archive is the same, to its digest', async () => {
    const books = await fill(here)
    const content = await exported(here)
    const made = await imported(there, content)
    expect(made.id).toBe(here.baseId)
    expect(await exported({ ...there, baseId: made.id })).toBe(content)
    for (const name of ['Name', 'By', 'Names', 'Reader', 'Files']) {
      expect(await there.textsOf(books, name)).toEqual(await here.textsOf(books, name))
    }
    expect((await there.api.bases.verifyBase({ baseId: made.id })).problems).toEqual([])
    expect(await historyOf(there, books.id)).toEqual(await historyOf(here, books.id))
    await here.clear()
    await there.clear(made.id)
  })

  test('[ARCHIVE-20] have no history where none is kept', async () => {
    await fill(here)
    const content = await exported(here)
    const keepsNone = await openTableWorld(to, { ids: new OwnIds() })
    try {
      await imported(keepsNone, content, false)
      const twin = (await keepsNone.api.bases.listBases({ spaceId: keepsNone.ada.spaceId })).at(-1)
      const tables = await keepsNone.api.tables.listTables({ baseId: twin?.id ?? '' })
      expect(tables).toHaveLength(2)
      for (const { id } of tables) expect(await historyOf(keepsNone, id)).toEqual([])
    } finally {
      await keepsNone.close()
    }
  })
})

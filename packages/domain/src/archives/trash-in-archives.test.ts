import { SeededIds } from '@gateleg/testing/doubles/seeded-ids'
import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { archivedRecords, archivedTable, archiveOf } from '@gateleg/testing/operations/archives'
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
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import type { IdKind } from '../ids/id-prefixes.ts'
import { limits } from '../limits.ts'

let worlds = 0

/** Ids of which no two worlds have the same, but those of people: what Ada made stays hers elsewhere. */
class OwnIds extends SeededIds {
  readonly #ofPeople = new SeededIds(new SeededRandom())

  constructor() {
    const random = new SeededRandom()
    random.restart(fc.hash(`trash in archives ${worlds++}`))
    super(random)
  }

  override next(kind: IdKind): string {
    return kind === 'user' ? this.#ofPeople.next(kind) : super.next(kind)
  }
}

const open = (storage: TestStorage) => openTableWorld(storage, { ids: new OwnIds() })

async function exported(
  { api, baseId }: Pick<TableWorld, 'api' | 'baseId'>,
  more: object = { includeTrash: true },
) {
  let text = ''
  for await (const part of await api.archives.exportBase({ baseId, ...more })) text += part
  return text
}

const imported = ({ api, ada }: TableWorld, content: string, sameIds = false) =>
  api.archives.importBase({ spaceId: ada.spaceId, content, sameIds })

const entriesOf = async ({ api }: TableWorld, tableId: string) =>
  (await api.trash.listTrashItems({ resourceId: tableId, resourceType: 'table' })).trashItems

/** Restores the entry that names the record; answers with the code of what refuses that. */
async function restore(world: TableWorld, tableId: string, recordId: string) {
  const entries = await entriesOf(world, tableId)
  const entry = entries.find(({ resourceIds = [] }) => resourceIds.includes(recordId))
  if (!entry) return 'none'
  const restoring = world.api.trash.restoreTrash({ trashId: entry.id })
  return restoring.then(
    () => 'restored',
    ({ code }: { code: string }) => code,
  )
}

/** Books and authors who are linked: books have many authors, or one each, of whom nobody has two. */
async function makeLibrary(world: TableWorld) {
  const authors = await world.makeNames('Authors', 'Ada', 'Bob', 'Cy')
  const books = await world.makeNames('Books', 'One', 'Two', 'Three')
  for (const [name, relationship] of [
    ['By', 'manyMany'],
    ['Of', 'manyOne'],
    ['With', 'oneOne'],
  ]) {
    const options = { relationship, foreignTableId: authors.id, isOneWay: false }
    await world.addField(books, { type: 'link', name, options })
  }
  await world.addField(books, { type: 'singleLineText', name: 'Code', unique: true })
  const { id: viewId } = await world.api.views.createView({
    ...{ tableId: books.id, type: 'grid', name: 'By hand' },
  })
  const [anchorId = '', , last = ''] = books.recordIds
  await world.api.views.moveRows({
    ...{ tableId: books.id, viewId, anchorId, position: 'before', recordIds: [last] },
  })
  const expression = `"- " & {${books.primaryId}}`
  await world.addField(books, { type: 'formula', name: 'Shown', options: { expression } })
  return { authors, books }
}

/** What people see of a table: all cells of its records, in their order. */
async function shown({ api }: TableWorld, tableId: string) {
  const { records } = await api.records.listRecords({ tableId, take: 100, cellFormat: 'text' })
  return records.map(({ id, autoNumber, fields }) => ({ id, autoNumber, fields }))
}

describeOnEveryStorage('trash in archives', (storage) => {
  const world = worldOfBlock(() => open(storage))
  let books: TestTable
  let content: string

  beforeAll(async () => {
    books = await world.makeNames('Books', 'One', 'Two', 'Three', 'Four')
    const { id: fieldId } = await world.addField(books, { type: 'attachment', name: 'Files' })
    const recordId = books.recordIds[1] ?? ''
    const file = {
      name: 'a.txt',
      stream: async function* () {
        yield new TextEncoder().encode('Hello')
      },
    }
    await world.api.attachments.uploadAttachment({ tableId: books.id, recordId, fieldId, file })
    await world.remove(books, books.recordIds[1], books.recordIds[2])
    await world.remove(books, books.recordIds[3])
    content = await exported(world)
  })

  test('[ARCHIVE-21] is there for those alone who ask for it, and may read it', async () => {
    const without = await exported(world, {})
    expect(without).toContain('"version":2')
    expect(without).not.toMatch(/"trash"|Two|Four/)
    expect(content).toContain('"version":4')
    const asked = exported(world, { includeTrash: true, includeData: false })
    await expect(asked).rejects.toMatchObject({ code: 'validation_error' })
    const scopes = new Set<Action>(['base|read_all', 'base|table_export'])
    const { userId } = world.ada
    const api = world.engine.as({ kind: 'token', userId, tokenId: 'acc1', scopes })
    const byToken = exported({ baseId: world.baseId, api })
    await expect(byToken).rejects.toMatchObject({ code: 'restricted_resource' })
  })

  const [head, table, field, view] = archivedTable as readonly object[]
  const [records, record = []] = archivedRecords as unknown as readonly [object, readonly unknown[]]
  const time = '2025-01-02T00:00:00.000Z'
  const trash = { table: 'tbl0000000000000001', deletedTime: time, deletedBy: 'usr1' }
  const forged = (...lines: readonly unknown[]) =>
    archiveOf([{ ...head, version: 3 }, table, field, view, ...lines])

  test.each([
    ['of a table that it has not', [{ trash: { ...trash, table: 'tbl0000000000000009' } }], 5],
    ['without a time', [{ trash: { ...trash, deletedTime: 'once' } }], 5],
    ['with more than its members', [{ trash: { ...trash, operationId: 'opr1' } }], 5],
    ['whose records are of no entry', [records, [0, ...record]], 6],
    ['whose records are of a later entry', [{ trash }, records, [1, ...record]], 7],
    ['whose numbers are none', [{ trash }, records, [0.5, ...record]], 7],
    ['whose records have no cells', [{ trash }, records, [0, ...record.slice(0, -1)]], 7],
    ['whose records stand twice', [{ trash }, records, [0, ...record], record], 8],
  ])('[ARCHIVE-21] is refused %s', async (_, lines, line) => {
    await expect(imported(world, forged(...lines))).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(`line ${line}:`),
    })
  })

  test('[ARCHIVE-21] has no more in one entry than one call deletes', async () => {
    const many = Array.from({ length: limits.recordsPerDelete + 1 }, (_, index) => [
      ...[0, `rec${String(index).padStart(16, '0')}`, index + 1],
      ...record.slice(2),
    ])
    await expect(imported(world, forged({ trash }, records, ...many))).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(`line ${6 + many.length}:`),
    })
  })

  test('[ARCHIVE-21] [ARCHIVE-22] comes into the trash of the tables, entry by entry, as it was', async () => {
    const made = await imported(world, content)
    const [twin] = await world.api.tables.listTables({ baseId: made.id })
    const told = (entries: Awaited<ReturnType<typeof entriesOf>>) =>
      entries
        .map(({ id: _, ...entry }) => ({ ...entry, resourceIds: entry.resourceIds?.toSorted() }))
        .toSorted((a, b) => (a.resourceIds?.length ?? 0) - (b.resourceIds?.length ?? 0))
    const entries = await entriesOf(world, twin?.id ?? '')
    expect(told(entries)).toEqual(told(await entriesOf(world, books.id)))
    expect(entries).toHaveLength(2)
    expect(await shown(world, twin?.id ?? '')).toHaveLength(1)
    expect((await world.api.bases.verifyBase({ baseId: made.id })).problems).toEqual([])
    expect(await restore(world, twin?.id ?? '', books.recordIds[2] ?? '')).toBe('restored')
    const cells = (await shown(world, twin?.id ?? '')).map(({ fields }) => fields)
    expect(cells.map(({ Name }) => Name)).toEqual(['One', 'Two', 'Three'])
    expect(String(cells[1]?.Files)).toContain('a.txt')
    await world.clear(made.id)
  })

  test('[ARCHIVE-22] was deleted by whoever is known, and not later than now', async () => {
    const toCome = { ...trash, deletedTime: '9999-01-01T00:00:00.000Z' }
    const another = ['rec0000000000000002', 9, ...record.slice(2)]
    const lines = [{ trash }, { trash: toCome }, records, [0, ...record], [1, ...another]]
    const made = await imported(world, forged(...lines))
    const [twin] = await world.api.tables.listTables({ baseId: made.id })
    const [late, early] = await entriesOf(world, twin?.id ?? '')
    expect(early).toMatchObject({ deletedTime: time, deletedBy: world.ada.userId })
    expect(late?.deletedBy).toBe(world.ada.userId)
    const own = await world.makeNames('Own', 'One')
    await world.remove(own, own.recordIds[0])
    const [now] = await entriesOf(world, own.id)
    expect(now?.deletedTime.slice(0, 16)).toBe(late?.deletedTime.slice(0, 16))
    await world.clear(made.id)
  })
})

/** What happens to a library before it is archived. */
const deed = fc.record({
  kind: fc.constantFrom('link', 'link', 'delete', 'delete', 'restore', 'code', 'author'),
  book: fc.nat({ max: 5 }),
  author: fc.nat({ max: 4 }),
  others: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }),
  field: fc.constantFrom('By', 'Of', 'With'),
})

/** From each storage to each; but in one database of PostgreSQL no two worlds can have a base of one id. */
const directions = suiteStorages()
  .flatMap((from) => suiteStorages().map((to) => ({ from, to })))
  .filter(({ from, to }) => from !== to || from.name === 'sqlite')

describe.each(directions)('trash of $from.name on $to.name', ({ from, to }) => {
  const here = worldOfBlock(() => open(from))
  const there = worldOfBlock(() => open(to))

  const act = async (
    { books, authors }: { books: TestTable; authors: TestTable },
    { kind, book, author, others, field }: typeof deed extends fc.Arbitrary<infer T> ? T : never,
  ) => {
    const bookId = books.recordIds[book % 3]
    const authorId = authors.recordIds[author % 3] ?? ''
    const linked = others.flatMap((index) => authors.recordIds[index % 3] ?? [])
    if (kind === 'link') {
      const ids = field === 'By' ? [...new Set(linked)] : (linked[0] ?? null)
      await here.change(books, bookId, { [field]: ids })
    } else if (kind === 'delete') await here.remove(books, bookId)
    else if (kind === 'author') await here.remove(authors, authorId)
    else if (kind === 'code') await here.change(books, bookId, { Code: 'same' })
    else await restore(here, books.id, bookId ?? '')
  }

  const compare = async ({ books, authors }: { books: TestTable; authors: TestTable }) => {
    const content = await exported(here)
    const made = await imported(there, content, true)
    const twin = { api: there.api, baseId: made.id }
    try {
      expect(await exported(twin)).toBe(content)
      for (const { id, recordIds } of [books, authors]) {
        for (const recordId of recordIds) {
          const outcome = await restore(here, id, recordId)
          expect(await restore(there, id, recordId)).toBe(outcome)
          expect(await shown(there, id)).toEqual(await shown(here, id))
        }
      }
      const { problems } = await there.api.bases.verifyBase({ baseId: made.id })
      expect(problems).toEqual([])
      const recordsOf = (text: string) =>
        text.slice(text.indexOf('{"records"'), text.indexOf('{"end"'))
      expect(recordsOf(await exported(twin))).toBe(recordsOf(await exported(here)))
    } finally {
      await there.api.bases.deleteBasePermanently({ baseId: made.id })
      await there.finishJobs()
    }
  }

  test('[ARCHIVE-21] always comes back as it would where it was', async () => {
    const deeds = fc.array(deed, { minLength: 4, maxLength: 14 })
    const check = fc.asyncProperty(deeds, async (drawn) => {
      const library = await makeLibrary(here)
      try {
        // What is of a deleted record is refused, and that is all right.
        for (const one of drawn) await act(library, one).catch(() => undefined)
        await compare(library)
      } finally {
        await here.clear()
      }
    })
    await fc.assert(check, { numRuns: Number(process.env.ARCHIVE_SCRIPTS ?? 4) })
  }, 600_000)
})

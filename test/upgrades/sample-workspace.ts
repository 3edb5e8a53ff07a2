import type { Api } from '@gateleg/domain/api'
import type { OpenStorage, Storage, Store } from '@gateleg/domain/store'
import type { Engine } from '@gateleg/engine/engine'
import { openEngine } from '@gateleg/engine/open-engine'
import { Argon2PasswordHasher } from '@gateleg/engine/platform/passwords/argon2-password-hasher'
import { FixedClock } from '@gateleg/testing/doubles/fixed-clock'
import { SeededIds } from '@gateleg/testing/doubles/seeded-ids'
import { SeededRandom } from '@gateleg/testing/doubles/seeded-random'
import { withLimits } from '@gateleg/testing/with-limits'

/** What the sample is sealed with; nothing else ever is. */
export const sampleKey = 'the key of the sample workspace, known to all'
export const samplePassword = 'A-sample-password-1'
export const sampleEmail = 'ada@example.com'

/** The hash of each base and how many records it has, living and deleted, by the base's name. */
export type SampleHashes = Readonly<
  Record<string, { readonly hash: string; readonly records: number }>
>

/**
 * Fills an empty storage with a little of everything that there is, and tells the hashes of its bases. Ids
 * and times are the same on every storage, so the hashes are, too.
 */
export async function makeSampleWorkspace(storage: Storage): Promise<SampleHashes> {
  const random = new SeededRandom()
  random.restart(1)
  const passwords = new Argon2PasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })
  const opened = Promise.withResolvers<Store>()
  const engine = await openEngine({
    storage: {
      name: storage.name,
      open: async (dependencies) => {
        const open: OpenStorage = await storage.open(dependencies)
        opened.resolve(open.store)
        return open
      },
    },
    instanceKey: sampleKey,
    jobs: false,
    ports: { ids: new SeededIds(random), clock: new FixedClock(), passwords },
  })
  try {
    await fill(engine, await opened.promise)
    return await hashesOf(engine)
  } finally {
    await engine.close()
  }
}

/** The hashes of all bases that the sample's first user sees, by name; fails when a base has problems. */
export async function hashesOf(engine: Engine): Promise<SampleHashes> {
  const { id: userId } = await engine.public.accounts.signIn({
    email: sampleEmail,
    password: samplePassword,
  })
  const api = engine.as({ userId })
  const hashes: Record<string, { hash: string; records: number }> = {}
  for (const { id: baseId, name } of await api.bases.listAllBases({})) {
    const { hash, records, problems } = await api.bases.verifyBase({ baseId })
    if (problems.length > 0) throw new Error(`The base ${name}: ${problems.join('; ')}`)
    hashes[name] = { hash, records }
  }
  return hashes
}

async function fill(engine: Engine, store: Store): Promise<void> {
  const ada = await engine.public.accounts.signUp({ email: sampleEmail, password: samplePassword })
  const bob = await engine.public.accounts.signUp({
    email: 'bob@example.com',
    password: samplePassword,
  })
  const api = engine.as({ userId: ada.id })
  const [space] = await api.spaces.listSpaces({})
  const spaceId = space?.id ?? ''
  await store.write((tx) =>
    tx.attachments.insert({
      token: 'sampletoken',
      spaceId,
      path: 'table/sampletoken',
      size: 9_000_000_000,
      mimetype: 'image/png',
      width: 40,
      height: 30,
      createdBy: ada.id,
      createdTime: '2026-01-01T00:00:00.000Z',
      attachedTime: null,
    }),
  )
  const library = await api.bases.createBase({ spaceId, name: 'Library', icon: '📚' })
  await api.collaborators.addBaseCollaborators({
    baseId: library.id,
    collaborators: [{ principalId: bob.id, principalType: 'user' }],
    role: 'editor',
  } as never)
  const authors = await makeTree(api, library.id)
  const books = await makeEverything(api, { baseId: library.id, authors, userId: bob.id })
  await change(api, books)
  const elsewhere = await api.bases.createBase({ spaceId, name: 'Elsewhere' })
  await makeWaiting(api, elsewhere.id, books.tableId)
  const gone = await api.bases.createBase({ spaceId, name: 'Gone' })
  await api.bases.deleteBase({ baseId: gone.id })
}

/** A tree of each kind of node; answers the table of authors in it. */
async function makeTree(api: Api, baseId: string): Promise<string> {
  const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Shelves' })
  const authors = await api.tables.createTable({
    baseId,
    name: 'Authors',
    fields: [{ name: 'Name', type: 'singleLineText' }],
    records: ['Ada', 'Grace', "Robert'); drop table users; --", 'Ünïcödé 🦉'].map((Name) => ({
      fields: { Name },
    })),
  })
  await api.tree.createNode({ baseId, resourceType: 'dashboard', name: 'Overview' })
  await api.tree.createNode({ baseId, resourceType: 'workflow', name: 'Reminders' })
  const nodes = await api.tree.listNodes({ baseId })
  const node = nodes.find(({ resourceId }) => resourceId === authors.id)
  await api.tree.moveNode({ baseId, nodeId: node?.id ?? '', parentId: folder.id })
  return authors.id
}

interface SampleTable {
  readonly tableId: string
  readonly fieldIds: Readonly<Record<string, string>>
  readonly recordIds: readonly string[]
}

/** A table with a field of every type. */
async function makeEverything(
  api: Api,
  { baseId, authors, userId }: { baseId: string; authors: string; userId: string },
): Promise<SampleTable> {
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name: 'Books',
    description: 'One of each',
    fields: [{ name: 'Title', type: 'singleLineText', unique: true }],
    records: [],
  })
  const fieldIds: Record<string, string> = {}
  const add = async (name: string, definition: object) => {
    const field = await api.fields.createField({ tableId, name, ...definition } as never)
    fieldIds[name] = field.id
    return field.id
  }
  const choices = ['new', 'used'].map((name) => ({ name }))
  await add('Notes', { type: 'longText' })
  await add('Pages', { type: 'number', notNull: true })
  await add('Stars', { type: 'rating' })
  await add('Lent', { type: 'checkbox' })
  await add('Bought', {
    type: 'date',
    options: { formatting: { date: 'YYYY-MM-DD', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
  })
  await add('State', { type: 'singleSelect', options: { choices } })
  await add('Tags', { type: 'multipleSelect', options: { choices } })
  await add('Reader', { type: 'user' })
  await add('Readers', { type: 'user', options: { isMultiple: true } })
  await add('Files', { type: 'attachment' })
  await add('Press', { type: 'button' })
  const written = await add('Author', {
    type: 'link',
    options: { relationship: 'manyMany', foreignTableId: authors },
  })
  await add('Editor', {
    type: 'link',
    options: { relationship: 'manyOne', foreignTableId: authors, isOneWay: true },
  })
  const lookupOptions = { linkFieldId: written, foreignTableId: authors, lookupFieldId: '' }
  lookupOptions.lookupFieldId = (await api.fields.listFields({ tableId: authors }))[0]?.id ?? ''
  await add('Names', { type: 'singleLineText', isLookup: true, lookupOptions })
  await add('Authors', {
    type: 'rollup',
    options: { expression: 'countall({values})' },
    lookupOptions,
  })
  await add('Label', { type: 'formula', options: { expression: 'UPPER({Title}) & {Pages}' } })
  await add('Half', { type: 'formula', options: { expression: '{Pages} / 2' } })
  for (const type of ['createdTime', 'lastModifiedTime', 'createdBy', 'lastModifiedBy'] as const) {
    await add(`By ${type}`, { type })
  }
  await add('No', { type: 'autoNumber' })
  const { records: people } = await api.records.listRecords({ tableId: authors })
  const files = [{ name: 'cover.png', token: 'sampletoken' }]
  const { records } = await api.records.createRecords({
    tableId,
    records: Array.from({ length: 30 }, (_, index) => ({
      fields: {
        Title: `Book ${index} "quoted"\\`,
        Notes: index % 2 ? 'two\nlines\t' : null,
        Pages: index * 1.1,
        Stars: (index % 5) + 1,
        Lent: index % 3 === 0,
        Bought: '2026-03-05T12:00:00.000Z',
        State: index % 2 ? 'new' : 'used',
        Tags: ['used', 'new'],
        Reader: userId,
        Readers: [userId],
        Files: files,
        Author: people.slice(0, index % 4).map(({ id }) => id),
        Editor: people[index % 4]?.id,
      },
    })),
  } as never)
  await makeView(api, tableId, fieldIds)
  return { tableId, fieldIds, recordIds: records.map(({ id }) => id) }
}

/** A locked view in which everything is set. */
async function makeView(api: Api, tableId: string, fieldIds: SampleTable['fieldIds']) {
  const { State = '', Pages = '' } = fieldIds
  const item = { fieldId: State, operator: 'isAnyOf', value: ['new', 'used'] } as const
  const { id: viewId } = await api.views.createView({
    tableId,
    type: 'grid',
    name: 'Set',
    description: 'Everything is set',
    options: { rowHeight: 'tall' },
    filter: { conjunction: 'and', filterSet: [item] },
    sort: { sortObjs: [{ fieldId: Pages, order: 'desc' }], manualSort: false },
    group: [{ fieldId: State, order: 'asc' }],
    columnMeta: { [Pages]: { width: 80, hidden: true } },
  })
  await api.views.renameView({ tableId, viewId, name: 'Set "anew"' })
  await api.views.lockView({ tableId, viewId, isLocked: true })
}

/** Changes, conversions and deletions, of which the trash keeps what was there. */
async function change(api: Api, { tableId, fieldIds, recordIds }: SampleTable): Promise<void> {
  const [first = '', second = '', third = ''] = recordIds
  await api.records.updateRecord({ tableId, recordId: first, record: { fields: { Pages: 1e300 } } })
  await api.comments.createComment({
    ...{ tableId, recordId: first },
    content: [{ type: 'p', children: [{ type: 'span', value: 'So many pages?' }] }],
  })
  await api.records.deleteRecord({ tableId, recordId: second })
  await api.records.deleteRecords({ tableId, recordIds: [third] })
  await api.fields.convertField({ tableId, fieldId: fieldIds.Stars ?? '', type: 'singleLineText' })
  await api.fields.deleteField({ tableId, fieldId: fieldIds.Lent ?? '' })
  await api.fields.deleteField({ tableId, fieldId: fieldIds.Pages ?? '' })
}

/** A table whose field is left to the background, and a link into another base. */
async function makeWaiting(api: Api, baseId: string, foreignTableId: string): Promise<void> {
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name: 'Waiting',
    fields: [{ name: 'Count', type: 'number' }],
    records: [1, 2, 3, 4, 5].map((Count) => ({ fields: { Count } })),
  })
  await api.fields.createField({
    tableId,
    name: 'Books',
    type: 'link',
    options: { relationship: 'oneMany', foreignTableId, isOneWay: true },
  })
  await withLimits({ recordsCalculated: 3, recordsPerCalculation: 2 }, async () => {
    const options = { expression: '{Count} * 2' }
    await api.fields.createField({ tableId, type: 'formula', name: 'Twice', options })
  })
}

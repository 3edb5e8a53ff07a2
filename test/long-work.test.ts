import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteConnection } from '@gateleg/adapters-sqlite/connection/sqlite-connection'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { LongWrites } from '@gateleg/adapters-sqlite/writing/long-writes'
import { limits } from '@gateleg/domain/limits'
import type { OpenStorage, ReadOptions, Storage, Store } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, expect, test, vi } from 'vitest'

/**
 * A storage that tells of each read whether it was said to be long, and in which order writes end and work outside
 * of them gives way.
 */
function listening(storage: Storage) {
  const heard: (ReadOptions | undefined)[] = []
  const order: ('commit' | 'turn')[] = []
  const open: Storage['open'] = async (dependencies) => {
    const opened = await storage.open(dependencies)
    const store: Store = {
      read: (work, options) => {
        heard.push(options)
        return opened.store.read(work, options)
      },
      write: async (work, options) => {
        const result = await opened.store.write(work, options)
        order.push('commit')
        return result
      },
      giveWay: () => {
        order.push('turn')
        return opened.store.giveWay()
      },
    }
    return new Proxy(opened, {
      get: (target, name) => {
        if (name === 'store') return store
        const member = target[name as keyof OpenStorage]
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  return { heard, order, storage: { name: storage.name, open } }
}

/** A base of somebody's in an engine of its own. */
async function openBase(storage: Storage) {
  const engine = await openEngine({ storage })
  const { id } = await engine.public.accounts.signUp({
    email: 'ada@example.com',
    password: 'correct horse 1',
  })
  const api = engine.as({ userId: id })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })
  return { engine, api, baseId }
}

const folders: string[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A base in a file, and what tells whether a call wrote on the thread for long writes. */
async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  folders.push(folder)
  const { engine, api, baseId } = await openBase(sqlite({ file: join(folder, 'gateleg.db') }))
  const spies = (['write', 'writeReadingFirst'] as const).map((how) =>
    vi.spyOn(LongWrites.prototype, how),
  )
  const isLong = async (call: () => Promise<unknown>) => {
    for (const spy of spies) spy.mockClear()
    await call()
    return spies.some((spy) => spy.mock.calls.length > 0)
  }
  return { engine, api, baseId, isLong }
}

/** A table of three records in an engine, and what tells whether a call's transaction was said to be long. */
async function openTable() {
  const { heard, storage } = listening(sqlite({ file: ':memory:' }))
  const { engine, api, baseId } = await openBase(storage)
  const { id: tableId } = await api.tables.createTable({ baseId, name: 'Table' })
  const [field] = await api.fields.listFields({ tableId })
  const isLong = async (call: () => Promise<unknown>) => {
    heard.length = 0
    await call()
    return heard.at(-1)?.isLong ?? false
  }
  return { engine, api, baseId, tableId, fieldId: field?.id ?? '', isLong }
}

test('[SQLITE-23] hashes, deep pages and plans are said to be long, and nothing else', async () => {
  const { engine, api, baseId, tableId, fieldId, isLong } = await openTable()
  const deep = limits.recordsSkippedAtOnce + 1
  expect(await isLong(() => api.bases.verifyBase({ baseId }))).toBe(true)
  expect(await isLong(() => api.records.listRecords({ tableId, skip: deep }))).toBe(true)
  expect(await isLong(() => api.fields.planConversion({ tableId, fieldId, type: 'number' }))).toBe(
    true,
  )
  expect(await isLong(() => api.records.listRecords({ tableId, skip: deep - 1 }))).toBe(false)
  expect(await isLong(() => api.records.listRecords({ tableId }))).toBe(false)
  await engine.close()
})

test('[RECORD-42] what many written records look like is made once they are durable', async () => {
  const { order, storage } = listening(sqlite({ file: ':memory:' }))
  const { engine, api, baseId } = await openBase(storage)
  const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
  const records = Array.from({ length: 100 }, (_, n) => ({ fields: { Name: `${n}` } }))
  const lastOf = async (call: () => Promise<unknown>) => {
    order.length = 0
    await call()
    return order.at(-1)
  }
  const create = (options?: { idempotencyKey: string }) => () =>
    api.records.createRecords({ tableId, records }, options)
  expect(await lastOf(create())).toBe('turn')
  // What is kept of an answer is durable with the records.
  expect(await lastOf(create({ idempotencyKey: 'one' }))).toBe('commit')
  const { records: made } = await api.records.createRecords({ tableId, records })
  expect(made.map(({ name }) => name)).toEqual(records.map(({ fields }) => fields.Name))
  const changes = made.map(({ id }) => ({ id, fields: { Name: 'changed' } }))
  const update = () => api.records.updateRecords({ tableId, records: changes })
  expect(await lastOf(update)).toBe('turn')
  expect((await update()).map(({ name }) => name)).toEqual(changes.map(() => 'changed'))
  await engine.close()
})

test('[SQLITE-30] writes of many records, to fields of tables that have had many, and removals for good are long', async () => {
  const { engine, api, baseId, isLong } = await openFile()
  const table = await api.tables.createTable({ baseId, name: 'Table' })
  const tableId = table.id
  const fieldId = table.fields[0]?.id ?? ''
  const create = (count: number) => () =>
    api.records.createRecords({ tableId, records: Array(count).fill({ fields: {} }) })
  const convert = () => api.fields.convertField({ tableId, fieldId, type: 'longText' })
  const convertBack = () => api.fields.convertField({ tableId, fieldId, type: 'singleLineText' })
  const duplicate = () => api.fields.duplicateField({ tableId, fieldId })
  const add = (more: object) => () =>
    api.fields.createField({ tableId, type: 'singleLineText', ...more })
  const withDefault = { notNull: true, options: { defaultValue: 'x' } }
  const duplicateTable = (nodeId: string, includeRecords: boolean) => () =>
    api.tree.duplicateNode({ baseId, nodeId, includeRecords })
  const most = limits.recordsWrittenAtOnce
  const other = await api.tables.createTable({ baseId, name: 'Other', records: [] })
  expect(await isLong(convert)).toBe(false)
  expect(await isLong(duplicate)).toBe(false)
  expect(await isLong(add({ unique: true }))).toBe(false)
  expect(await isLong(create(most))).toBe(false)
  const longRecords = (length: number) =>
    Array.from({ length: 4 }, () => ({ fields: { Name: 'x'.repeat(length) } }))
  const createLong = (length: number) => () =>
    api.records.createRecords({ tableId: other.id, records: longRecords(length) })
  const long = limits.lengthWrittenAtOnce / 4
  expect(await isLong(createLong(100))).toBe(false)
  expect(await isLong(duplicateTable(other.id, true))).toBe(false)
  expect(await isLong(createLong(long + 1))).toBe(true)
  expect(await isLong(duplicateTable(other.id, true))).toBe(true)
  expect(await isLong(create(most + 1))).toBe(true)
  const createTable = (records: ReturnType<typeof longRecords>) => () =>
    api.tables.createTable({ baseId, fields: [{ name: 'Name', type: 'longText' }], records })
  expect(await isLong(createTable(longRecords(100)))).toBe(false)
  expect(await isLong(createTable(longRecords(long + 1)))).toBe(true)
  expect(limits.recordsChangedAtOnce).toBe(10_000)
  await withLimits({ recordsChangedAtOnce: 2 * most }, async () => {
    expect(await isLong(convertBack)).toBe(true)
    expect(await isLong(duplicate)).toBe(true)
    expect(await isLong(add({ unique: true }))).toBe(true)
    expect(await isLong(add(withDefault))).toBe(true)
    expect(await isLong(add({}))).toBe(false)
  })
  expect(await isLong(duplicate)).toBe(false)
  expect(await isLong(duplicateTable(tableId, true))).toBe(true)
  expect(await isLong(duplicateTable(tableId, false))).toBe(false)
  const { records } = await api.records.listRecords({ tableId, take: most + 1 })
  const update = (count: number) => () => {
    const changed = records.slice(0, count).map(({ id }) => ({ id, fields: {} }))
    return api.records.updateRecords({ tableId, records: changed })
  }
  expect(await isLong(update(most))).toBe(false)
  expect(await isLong(update(most + 1))).toBe(true)
  expect(await isLong(() => api.tables.deleteTable({ baseId, tableId }))).toBe(false)
  const remove = () => api.tables.deleteTablePermanently({ baseId, tableId: other.id })
  expect(await isLong(remove)).toBe(true)
  await engine.close()
})

test('[SQLITE-38] who may not do it causes no long write, and no look at the records', async () => {
  const { engine, api, baseId, isLong } = await openFile()
  const table = await api.tables.createTable({ baseId, dbTableName: 'Secret' })
  const tableId = table.id
  const fieldId = table.fields[0]?.id ?? ''
  const recordId = table.records[0]?.id ?? ''
  const { id } = await engine.public.accounts.signUp({
    email: 'eve@example.com',
    password: 'correct horse 1',
  })
  const eve = engine.as({ userId: id })
  const many = <T>(record: T) => Array(limits.recordsWrittenAtOnce + 1).fill(record) as T[]
  const changed = many(0).map((_, n) => ({ id: `${recordId}${n}`, fields: {} }))
  const calls = (other: typeof api) => [
    () => other.fields.convertField({ tableId, fieldId, type: 'longText' }),
    () => other.fields.duplicateField({ tableId, fieldId }),
    () => other.fields.createField({ tableId, type: 'longText', unique: true }),
    () => other.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: true }),
    () => other.records.createRecords({ tableId, records: many({ fields: {} }) }),
    () => other.records.updateRecords({ tableId, records: changed }),
    () => other.tables.createTable({ baseId, records: many({ fields: {} }) }),
    () => other.tables.deleteTablePermanently({ baseId, tableId }),
  ]
  const rows = vi.spyOn(SqliteConnection.prototype, 'rows')
  const reads = () => rows.mock.calls.filter(([sql]) => sql.includes(`"${baseId}.Secret"`))
  await withLimits({ recordsChangedAtOnce: 1, recordsWrittenAtOnce: 1 }, async () => {
    for (const call of calls(eve)) {
      expect(await isLong(() => expect(call()).rejects.toMatchObject({ code: 'not_found' }))).toBe(
        false,
      )
    }
    expect(reads()).toEqual([])
    for (const call of calls(api))
      expect(await isLong(() => call().catch(() => undefined))).toBe(true)
    expect(reads()).not.toEqual([])
  })
  await engine.close()
})

test('[SQLITE-34] a write that turns out to change long records is begun again as a long one', async () => {
  const { engine, api, baseId, isLong: isMoved } = await openFile()
  const choices = [{ id: 'cho1', name: 'old' }]
  const table = await api.tables.createTable({
    baseId,
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'longText', name: 'Long' },
      { type: 'singleSelect', name: 'Choice', options: { choices } },
    ],
    records: Array.from({ length: 4 }, () => ({
      fields: { Name: 'a', Long: 'x'.repeat(500), Choice: 'old' },
    })),
  })
  const tableId = table.id
  const [name, long, choice] = table.fields.map((field) => field.id)
  const recordIds = table.records.map((record) => record.id)
  const rename = (to: string) => () =>
    api.fields.convertField({
      tableId,
      fieldId: choice ?? '',
      type: 'singleSelect',
      options: { choices: [{ id: 'cho1', name: to }] },
    })
  let names = 0
  const update = (count: number) => () => {
    const fields = { Name: `name ${++names}` }
    const changed = recordIds.slice(0, count).map((id) => ({ id, fields }))
    return api.records.updateRecords({ tableId, records: changed })
  }
  const lengthen = () => {
    const record = { fields: { Long: 'y'.repeat(900) } }
    return api.records.updateRecord({ tableId, recordId: recordIds[0] ?? '', record })
  }
  const add = (field: object) => () =>
    api.fields.createField({ tableId, type: 'singleLineText', ...field })
  const formula = { type: 'formula', options: { expression: '{Name} & "1"' } }
  const remove = (recordId: string) => () => api.records.deleteRecord({ tableId, recordId })
  for (const write of [update(4), rename('new'), add(formula)]) {
    expect(await isMoved(write)).toBe(false)
  }
  const rows = vi.spyOn(SqliteConnection.prototype, 'rows')
  const isMeasured = () => rows.mock.calls.some(([sql]) => sql.includes('octet_length'))
  // An update has just read what it changes: records that can't be too large are not read again.
  await update(4)()
  expect(isMeasured()).toBe(false)
  await withLimits({ lengthRewrittenAtOnce: 2_500 }, update(4))
  expect(isMeasured()).toBe(true)
  rows.mockRestore()
  await withLimits({ lengthRewrittenAtOnce: 1_000 }, async () => {
    expect(await isMoved(update(1))).toBe(false)
    expect(await isMoved(remove(recordIds[3] ?? ''))).toBe(false)
    expect(await isMoved(add({}))).toBe(false)
    // What is written counts as well: a record that was short becomes long.
    expect(await isMoved(lengthen)).toBe(true)
    const duplicate = () => api.fields.duplicateField({ tableId, fieldId: name ?? '' })
    const withDefault = add({ notNull: true, options: { defaultValue: 'x' } })
    for (const write of [update(3), rename('newer'), add(formula), duplicate, withDefault]) {
      expect(await isMoved(write)).toBe(true)
    }
    const unique = (fieldId = '') => {
      const definition = { tableId, fieldId, type: 'longText', unique: true } as const
      return () => api.fields.convertField(definition).catch(() => undefined)
    }
    expect(await isMoved(unique(long))).toBe(true)
    expect(
      await isMoved(() => api.records.deleteRecords({ tableId, recordIds: recordIds.slice(0, 3) })),
    ).toBe(true)
  })
  const linked = await api.tables.createTable({ baseId, fields: [{ type: 'singleLineText' }] })
  const options = { relationship: 'manyMany', foreignTableId: tableId } as const
  await api.fields.createField({ tableId: linked.id, name: 'Links', type: 'link', options })
  const { records } = await api.records.createRecords({
    tableId,
    records: [{ fields: {} }, { fields: {} }],
  })
  const fields = { Links: records.map(({ id }) => ({ id })) }
  const holders = await api.records.createRecords({ tableId: linked.id, records: [{ fields }] })
  await withLimits({ lengthRewrittenAtOnce: 150 }, async () => {
    const [holder] = holders.records
    const removal = { tableId: linked.id, recordId: holder?.id ?? '' }
    expect(await isMoved(() => api.records.deleteRecord(removal))).toBe(true)
  })
  await engine.close()
})

test('[SQLITE-42] values of deleted fields count among those that a write changes', async () => {
  const { engine, api, baseId, isLong } = await openFile()
  const options = { choices: [{ id: 'cho1', name: 'old' }] }
  const { id: tableId, fields } = await api.tables.createTable({
    baseId,
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'singleSelect', name: 'Choice', options },
      { type: 'longText', name: 'Gone' },
      { type: 'number', name: 'Count' },
    ],
    records: [{ fields: { Name: 'a', Choice: 'old', Gone: 'x'.repeat(1_000), Count: 1 } }],
  })
  const [name, choice, gone, count] = fields.map(({ id }) => id)
  const { records } = await api.records.listRecords({ tableId })
  const recordId = records[0]?.id ?? ''
  let names = 0
  const update = () => {
    const record = { fields: { Name: `name ${++names}` } }
    return api.records.updateRecord({ tableId, recordId, record })
  }
  const rename = () => {
    const choices = [{ id: 'cho1', name: `name ${++names}` }]
    const definition = { type: 'singleSelect', options: { choices } } as const
    return api.fields.convertField({ tableId, fieldId: choice ?? '', ...definition })
  }
  const duplicate = () => api.fields.duplicateField({ tableId, fieldId: name ?? '' })
  const remove = () => api.records.deleteRecord({ tableId, recordId })
  const removeField = (fieldId = '') => api.fields.deleteField({ tableId, fieldId })
  const rows = vi.spyOn(SqliteConnection.prototype, 'rows')
  await removeField(count)
  await update()
  // Nothing that may be long is hidden yet: what was read of the record tells enough.
  expect(rows.mock.calls.filter(([sql]) => sql.includes('octet_length'))).toEqual([])
  rows.mockRestore()
  await removeField(gone)
  await withLimits({ lengthRewrittenAtOnce: 900 }, async () => {
    for (const write of [update, rename, duplicate, remove]) expect(await isLong(write)).toBe(true)
  })
  await engine.close()
})

test('[SQLITE-34] a copy of many links is long, and looks at none of those that it made', async () => {
  const { engine, api, baseId, isLong } = await openFile()
  const names = Array.from({ length: 9 }, (_, n) => ({ fields: { Name: `${n}` } }))
  const other = await api.tables.createTable({
    baseId,
    fields: [{ type: 'singleLineText', name: 'Name' }],
    records: names,
  })
  const foreign = other.records.map(({ id }) => ({ id }))
  const options = { relationship: 'manyMany', foreignTableId: other.id, isOneWay: true } as const
  const { id: tableId, fields } = await api.tables.createTable({
    baseId,
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'link', name: 'Links', options },
    ],
    records: names.map(({ fields }) => ({ fields: { ...fields, Links: foreign } })),
  })
  const duplicate = () => api.fields.duplicateField({ tableId, fieldId: fields[1]?.id ?? '' })
  expect(await isLong(duplicate)).toBe(false)
  await withLimits({ lengthRewrittenAtOnce: 8_000 }, async () => {
    expect(await isLong(duplicate)).toBe(true)
  })
  const rows = vi.spyOn(SqliteConnection.prototype, 'rows')
  const copy = () => api.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: true })
  await withLimits({ linksStoredAtOnce: 10 }, copy)
  const lookups = rows.mock.calls.filter(([sql]) => sql.includes('max("__maker_position")'))
  const placeLookups = rows.mock.calls.filter(([sql]) => sql.includes('max("__other_position")'))
  expect([...lookups, ...placeLookups]).toEqual([])
  await engine.close()
})

import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { limits } from '@gateleg/domain/limits'
import type { OpenStorage, ReadOptions, Storage, Store } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { expect, test } from 'vitest'

/** A storage that tells of each read whether it was said to be long. */
function listening(storage: Storage) {
  const heard: (ReadOptions | undefined)[] = []
  const open: Storage['open'] = async (dependencies) => {
    const opened = await storage.open(dependencies)
    const store: Store = {
      read: (work, options) => {
        heard.push(options)
        return opened.store.read(work, options)
      },
      write: (work) => opened.store.write(work),
      giveWay: () => opened.store.giveWay(),
    }
    return new Proxy(opened, {
      get: (target, name) => {
        if (name === 'store') return store
        const member = target[name as keyof OpenStorage]
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  return { heard, storage: { name: storage.name, open } }
}

test('[SQLITE-23] hashes, deep pages and plans are said to be long, and nothing else', async () => {
  const { heard, storage } = listening(sqlite({ file: ':memory:' }))
  const engine = await openEngine({ storage })
  const { id } = await engine.public.accounts.signUp({
    email: 'ada@example.com',
    password: 'correct horse 1',
  })
  const api = engine.as({ userId: id })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })
  const { id: tableId } = await api.tables.createTable({ baseId, name: 'Table' })
  const [field] = await api.fields.listFields({ tableId })
  const isLong = async (call: () => Promise<unknown>) => {
    heard.length = 0
    await call()
    return heard.at(-1)?.isLong ?? false
  }
  const deep = limits.recordsSkippedAtOnce + 1
  const fieldId = field?.id ?? ''
  expect(await isLong(() => api.bases.verifyBase({ baseId }))).toBe(true)
  expect(await isLong(() => api.records.listRecords({ tableId, skip: deep }))).toBe(true)
  expect(await isLong(() => api.fields.planConversion({ tableId, fieldId, type: 'number' }))).toBe(
    true,
  )
  expect(await isLong(() => api.records.listRecords({ tableId, skip: deep - 1 }))).toBe(false)
  expect(await isLong(() => api.records.listRecords({ tableId }))).toBe(false)
  await engine.close()
})

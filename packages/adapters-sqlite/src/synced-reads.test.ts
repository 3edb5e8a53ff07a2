import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { ReadTx } from '@gateleg/domain/store'
import { newUser } from '@gateleg/testing/factories/stored-rows'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { besideWriter } from './beside-writer.ts'
import { KeptRowsOfFile } from './connection/kept-rows.ts'
import { openWriter } from './connection/open-writer.ts'
import { openSqlite } from './open-sqlite.ts'
import { SqliteStore } from './sqlite-store.ts'
import { LogSync } from './writing/log-sync.ts'

let folder: string
/** The syncs that are under way: each is ended by a call. */
let syncs: PromiseWithResolvers<void>[]
let store: SqliteStore

/** Opens a store whose disk is slow. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = join(folder, 'workspace.db')
  const onCommit = () => {}
  await (await openSqlite(file, 1, { onCommit })).close()
  syncs = []
  let timeMs = 0
  const disk = {
    syncAtOnce: () => {
      timeMs += 1_000
    },
    sync: () => {
      syncs.push(Promise.withResolvers<void>())
      return syncs.at(-1)?.promise as Promise<void>
    },
    close: () => {},
  }
  const kept = new KeptRowsOfFile()
  const beside = {
    ...besideWriter({ file, readers: 2, kept }, () => {}),
    sync: new LogSync(disk, () => timeMs),
  }
  const writer = openWriter(file, kept)
  store = new SqliteStore({
    writer,
    kept,
    beside,
    onCommit,
    letGo: () => {},
    onStarted: () => {},
  })
  await store.write((tx) => tx.users.insert(newUser(1, { id: 'usrAda' })))
})

afterEach(async () => {
  for (const { resolve } of syncs) resolve()
  await store.close()
  rmSync(folder, { recursive: true })
})

const addBen = () => store.write((tx) => tx.users.insert(newUser(2, { id: 'usrBen' })))

const countUsers = async (isLong: boolean) => {
  const named = await store.read((tx) => tx.users.namesOf(['usrAda', 'usrBen']), { isLong })
  return named.size
}

const someTurns = async () => {
  for (let turns = 0; turns < 20; turns++) await setImmediate()
}

test.each([false, true])(
  '[SQLITE-63] tells nobody of a commit that is not on the disk, in a read that is long: %s',
  async (isLong) => {
    // Begins the thread of long reads.
    expect(await countUsers(isLong)).toBe(1)
    const writing = addBen()
    await someTurns()
    expect(syncs).toHaveLength(1)
    let counted: number | undefined
    const reading = countUsers(isLong).then((count) => {
      counted = count
    })
    await setTimeout(100)
    expect(counted).toBeUndefined()
    syncs[0]?.resolve()
    await Promise.all([writing, reading])
    expect(counted).toBe(2)
    expect(syncs).toHaveLength(1)
  },
)

const users = ['usrAda', 'usrBen']

/** A read that is begun, and counts the users when it is told to. */
function readLater(isLong: boolean, before: readonly string[] = []) {
  const { promise: told, resolve: goOn } = Promise.withResolvers<void>()
  let counted: number | undefined
  const ended = store
    .read(
      async (tx) => {
        await tx.users.namesOf(before)
        await told
        return (await tx.users.namesOf(users)).size
      },
      { isLong },
    )
    .then((count) => {
      counted = count
    })
  return { goOn, ended, counted: () => counted }
}

test.each([false, true])(
  '[SQLITE-90] tells nobody of a commit that a read saw which had begun before it, in a read that is long: %s',
  async (isLong) => {
    await countUsers(isLong)
    // Whoever reads in the same turn has the same snapshot.
    await someTurns()
    const read = readLater(isLong)
    await someTurns()
    const writing = addBen()
    await someTurns()
    expect(syncs).toHaveLength(1)
    read.goOn()
    await setTimeout(100)
    expect(read.counted()).toBeUndefined()
    syncs[0]?.resolve()
    await Promise.all([writing, read.ended])
    expect(read.counted()).toBe(2)
  },
)

test('[SQLITE-90] lets nobody wait for a commit that a read does not show', async () => {
  await countUsers(false)
  const read = readLater(false, users)
  await someTurns()
  const writing = addBen()
  await someTurns()
  expect(syncs).toHaveLength(1)
  read.goOn()
  await read.ended
  expect(read.counted()).toBe(1)
  syncs[0]?.resolve()
  await writing
})

const refusing = async (tx: ReadTx) => {
  const { size } = await tx.users.namesOf(users)
  throw new Error(`there are ${size}`)
}

test.each([
  ['a short read', () => store.read(refusing)],
  ['a long read', () => store.read(refusing, { isLong: true })],
  ['a long write', () => store.write(refusing, { isLong: true })],
])('[SQLITE-91] tells nobody of it in refusing %s', async (_, refused) => {
  await expect(refused()).rejects.toThrow('there are 1')
  const writing = addBen()
  await someTurns()
  let message: string | undefined
  const refusal = refused().catch((error: Error) => {
    message = error.message
  })
  await setTimeout(100)
  expect(message).toBeUndefined()
  for (const { resolve } of syncs) resolve()
  await Promise.all([writing, refusal])
  expect(message).toBe('there are 2')
})

test('[SQLITE-64] says that it is of no use any more after a sync has failed', async () => {
  await store.check()
  const refused = { code: 'database_connection_unavailable' }
  const writing = expect(addBen()).rejects.toMatchObject(refused)
  await someTurns()
  syncs[0]?.reject(new Error('EIO'))
  await writing
  await expect(addBen()).rejects.toMatchObject(refused)
  await expect(store.check()).rejects.toMatchObject(refused)
  await expect(countUsers(false)).rejects.toMatchObject(refused)
})

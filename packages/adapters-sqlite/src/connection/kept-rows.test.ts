import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReaderPool } from '../reading/reader-pool.ts'
import { LongWrites } from '../writing/long-writes.ts'
import { WriteQueue } from '../writing/write-queue.ts'
import { KeptRowsOfFile } from './kept-rows.ts'
import { openReader } from './open-reader.ts'
import { makeDurable, openWriter } from './open-writer.ts'

const users = 3
const question = 'select id, name from users where id = ?'

/** A file with users, and all that reads and writes it; takes a part of the work of a store. */
function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const file = join(folder, 'workspace.db')
  const database = new Database(file)
  makeDurable(database)
  database.exec(
    'create table users (id integer primary key, name integer); create table notes (text integer)',
  )
  for (let id = 0; id < users; id++) database.exec(`insert into users values (${id}, 0)`)
  database.close()
  const kept = new KeptRowsOfFile()
  const longWrites = new LongWrites(file, kept)
  const reopen = () => openWriter(file, kept)
  const queue = new WriteQueue(reopen(), { reopen, longWrites })
  const readers = new ReaderPool(() => openReader(file, { kept }), 8)
  const close = async () => {
    await queue.idle()
    await longWrites.close()
    readers.close()
    queue.close()
    rmSync(folder, { recursive: true })
  }
  return { kept, queue, readers, close }
}

type File = ReturnType<typeof openFile>

/** Asks for every user, as if often and as ever, and expects one answer. */
async function requireSame(connection: SqlConnection): Promise<void> {
  for (let id = 0; id < users; id++) {
    const often = await connection.allOften?.(question, [id])
    expect(often).toEqual(await connection.all(question, [id]))
  }
}

class Undone extends Error {}

/** What happens to the file at any moment; a number chooses what it happens to. */
const deeds: Record<string, (at: { file: File; open: (() => void)[] }, pick: number) => unknown> = {
  /** Begins a snapshot, asks on it, and again when it is ended by a later deed. */
  begin: async ({ file, open }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.push(resolve)
    await file.readers.read(async (connection) => {
      await requireSame(connection)
      await promise
      await requireSame(connection)
    })
  },
  end: ({ open }, pick) => open.splice(pick % Math.max(1, open.length), 1)[0]?.(),
  ask: ({ file }) => file.readers.read(requireSame),
  change: ({ file }, pick) =>
    file.queue.write(async (connection) => {
      await requireSame(connection)
      await connection.run('update users set name = ? where id = ?', [pick, pick % users])
      await requireSame(connection)
    }),
  changeLong: ({ file }, pick) =>
    file.queue.write(
      (connection) =>
        connection.run('update users set name = ? where id = ?', [pick, pick % users]),
      { isLong: true },
    ),
  undo: ({ file }, pick) =>
    file.queue
      .write(async (connection) => {
        await connection.run('delete from users where id = ?', [pick % users])
        await requireSame(connection)
        throw new Undone()
      })
      .catch((error) => {
        if (!(error instanceof Undone)) throw error
      }),
  note: ({ file }, pick) =>
    file.queue.write(async (connection) => {
      await connection.run('insert into notes values (?)', [pick])
      await requireSame(connection)
    }),
}

test('[SQLITE-45] what is kept is always what the transaction would be answered', async () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom(...Object.keys(deeds)), fc.nat({ max: 99 }), fc.boolean()),
    { minLength: 1, maxLength: 40 },
  )
  // One for all runs: a thread takes long to start.
  const file = openFile()
  const property = fc.asyncProperty(steps, async (all) => {
    const open: (() => void)[] = []
    const running: unknown[] = []
    try {
      for (const [name, pick, isAwaited] of all) {
        const doing = deeds[name]?.({ file, open }, pick)
        running.push(doing)
        // A snapshot ends with a later deed.
        if (isAwaited && name !== 'begin') await doing
      }
    } finally {
      for (const end of open) end()
      await Promise.all(running)
    }
  })
  await fc.assert(property, { seed: 45, numRuns: 60 }).finally(file.close)
})

test('[SQLITE-45] answers again what was answered, until it is changed', async () => {
  const file = openFile()
  const ask = () =>
    file.readers.read((connection) => connection.allOften?.(question, [1]) ?? Promise.resolve([]))
  const first = await ask()
  expect(await ask()).toBe(first)
  await file.queue.write((connection) => connection.run('insert into notes values (1)', []))
  expect(await ask()).toBe(first)
  await file.queue.write((connection) => connection.run('update users set name = 7', []))
  expect(await ask()).toEqual([{ id: 1, name: 7 }])
  await file.close()
})

test('[SQLITE-45] keeps no more than it may, and not that there is nothing', async () => {
  const kept = new KeptRowsOfFile()
  const text = 'x'.repeat(1_000_000)
  for (let id = 0; id < 10; id++) kept.keep(question, [id], [{ text }])
  const found = Array.from({ length: 10 }, (_, id) => kept.get(question, [id])).filter(Boolean)
  expect(found).toHaveLength(4)
  kept.keep(question, [99], [])
  expect(kept.get(question, [99])).toBeUndefined()
})

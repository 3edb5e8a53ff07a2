import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { SqlFailure } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDurable } from './connection/open-writer.ts'
import { SqliteConnection } from './connection/sqlite-connection.ts'
import { ReaderPool } from './reading/reader-pool.ts'
import { WriteQueue } from './writing/write-queue.ts'

const pageBytes = 4_096

let folder: string
let file: string
let pool: ReaderPool
const uncaught: unknown[] = []
const note = (error: unknown) => {
  uncaught.push(error)
}

beforeEach(() => {
  uncaught.length = 0
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const database = new Database(file)
  makeDurable(database)
  database.exec(`
    create table notes (id integer primary key, text text);
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
    insert into notes select n, hex(zeroblob(40)) from numbers;
  `)
  database.close()
  pool = newPool()
})

afterEach(async () => {
  await nextTurn()
  await nextTurn()
  pool.close()
  rmSync(folder, { recursive: true })
  process.off('uncaughtException', note)
  process.off('unhandledRejection', note)
  expect(uncaught).toEqual([])
})

/** A pool whose connections have kept nothing of the file. */
function newPool(): ReaderPool {
  return new ReaderPool(() => new SqliteConnection(new Database(file, { readonly: true })), 1)
}

const count = async (connection: SqliteConnection) =>
  (await connection.rows('select count(*), sum(length(text)) from notes', []))[0]

/** Puts bytes over pages of the file, beside whatever has it open. */
function overwrite(firstPage: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, firstPage * pageBytes)
  closeSync(descriptor)
}

test('[SQLITE-21] answers with an error what can not be read, and goes on when it can', async () => {
  const sound = readFileSync(file)
  const pages = sound.length / pageBytes
  let unreadable = 0
  for (let page = 0; page < pages; page++) {
    for (const fill of [0x00, 0xff, 0x0d]) {
      pool.close()
      pool = newPool()
      overwrite(page, Buffer.alloc(pageBytes, fill))
      const found = await pool.read(count).catch((error) => error)
      const isUnreadable = found instanceof SqlFailure && found.kind === 'unreadable'
      if (isUnreadable) unreadable++
      await nextTurn()
      overwrite(page, sound.subarray(page * pageBytes, (page + 1) * pageBytes))
      // What a connection has kept of the broken page is gone with it.
      if (isUnreadable) expect(await pool.read(count)).toEqual([2000, 160_000])
      await nextTurn()
    }
  }
  expect(unreadable).toBeGreaterThan(pages)
})

test('[SQLITE-21] shows nothing more in a snapshot in which something could not be read', async () => {
  overwrite(2, Buffer.alloc(20 * pageBytes, 0xff))
  const reading = pool.read(async (connection) => {
    await count(connection).catch(() => undefined)
    return connection.rows('select 1', [])
  })
  await expect(reading).rejects.toMatchObject({ kind: 'unreadable' })
})

test('[SQLITE-21] answers with an error when the file is no database any more', async () => {
  writeFileSync(file, 'nothing of the kind')
  for (let times = 0; times < 3; times++) {
    await expect(pool.read(count)).rejects.toMatchObject({ kind: 'unreadable' })
    await nextTurn()
  }
})

test('[SQLITE-21] lets those that wait have their turn after a connection is lost', async () => {
  const held = pool.read(async (connection) => {
    await nextTurn()
    await nextTurn()
    overwrite(2, Buffer.alloc(20 * pageBytes, 0xff))
    return count(connection)
  })
  await nextTurn()
  const waiting = [pool.read(count)]
  await nextTurn()
  waiting.push(pool.read(count))
  const outcomes = await Promise.allSettled([held, ...waiting])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

test('[SQLITE-21] tells every write of a transaction that can not even be undone', async () => {
  /** Fails to commit and to undo, as a disk does that is gone. */
  class FailingConnection extends SqliteConnection {
    isFailing = true

    override control(sql: string): void {
      if (this.isFailing && (sql === 'COMMIT' || sql === 'ROLLBACK')) {
        throw new SqlFailure('unreadable', 'disk I/O error', undefined)
      }
      super.control(sql)
    }
  }
  const connection = new FailingConnection(new Database(file))
  const queue = new WriteQueue(connection)
  const add = () => queue.write(() => connection.run(`insert into notes (text) values ('x')`, []))
  for (const each of [add(), add()])
    await expect(each).rejects.toMatchObject({ kind: 'unreadable' })
  await expect(add()).rejects.toThrow()
  connection.isFailing = false
  await expect(add()).rejects.toThrow()
  expect(await add()).toBe(1)
  await queue.idle()
  connection.close()
})

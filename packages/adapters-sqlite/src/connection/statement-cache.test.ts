import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@gateleg/domain/limits'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ReaderPool } from '../reading/reader-pool.ts'
import { WriteQueue } from '../writing/write-queue.ts'
import { openWriter } from './open-writer.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { StatementCache } from './statement-cache.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const database = new Database(file)
  database.exec('create table notes (id integer primary key)')
  database.close()
})

afterEach(() => rmSync(folder, { recursive: true }))

/** A statement of its own whose text is long, but quickly read. */
function longStatement(index: number): string {
  return `select ${index} as a -- ${'x'.repeat(50_000)}`
}

/** As many of them as make a connection spent. */
const enough = Math.ceil(limits.preparedBytesPerConnection / (40 * 50_000)) + 1

test('[SQLITE-22] keeps a statement prepared while there is room', () => {
  const database = new Database(file)
  let prepared = 0
  const cache = new StatementCache((sql) => {
    prepared++
    return database.prepare(sql)
  })
  const first = cache.get(longStatement(0), 'objects')
  expect(cache.get(longStatement(0), 'objects')).toBe(first)
  expect(cache.get(longStatement(0), 'arrays').all()).toEqual([[0]])
  expect(first.all()).toEqual([{ a: 0 }])
  for (let index = 1; index <= 10; index++) cache.get(longStatement(index), 'objects')
  expect(prepared).toBe(12)
  expect(cache.get(longStatement(0), 'objects')).not.toBe(first)
  expect(cache.preparedBytes).toBeGreaterThan(13 * 40 * 50_000)
  database.close()
})

test('[SQLITE-22] replaces a reader that has prepared too much', async () => {
  let opened = 0
  const pool = new ReaderPool(() => {
    opened++
    return new SqliteConnection(new Database(file, { readonly: true }))
  }, 1)
  for (let index = 0; index < enough; index++) {
    await pool.read((connection) => connection.all(longStatement(index), []))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await pool.read((connection) => connection.all('select 1', []))
  expect(opened).toBe(2)
  pool.close()
})

test('[SQLITE-22] replaces the writer between two commits, with all that it is set to', async () => {
  let reopened = 0
  const reopen = () => {
    reopened++
    return openWriter(file)
  }
  const queue = new WriteQueue(openWriter(file), { reopen })
  const add = async (connection: SqlConnection) => {
    for (let index = 0; index < enough; index++) await connection.all(longStatement(index), [])
    await connection.run('insert into notes default values', [])
  }
  await queue.write(add)
  expect(reopened).toBe(0)
  const settings = await queue.write(async (connection) => [
    await connection.rows('select count(*) from notes', []),
    await connection.rows('pragma foreign_keys', []),
    await connection.rows('pragma synchronous', []),
    await connection.rows('pragma journal_mode', []),
  ])
  expect(reopened).toBe(1)
  expect(settings.flat(2)).toEqual([1, 1, 2, 'wal'])
  queue.close()
})

test('[SQLITE-22] goes on with the writer where no other one is to be had', async () => {
  const reopen = () => {
    throw new Error('too many open files')
  }
  const queue = new WriteQueue(openWriter(file), { reopen })
  for (let times = 0; times < 2; times++) {
    await queue.write(async (connection) => {
      for (let index = 0; index < enough; index++) await connection.all(longStatement(index), [])
    })
  }
  queue.close()
})

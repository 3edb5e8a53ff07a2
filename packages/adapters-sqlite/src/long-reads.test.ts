import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LongReads } from './long-reads.ts'
import { makeDurable, sqlite } from './sqlite.ts'

let folder: string
let file: string
let writer: Database.Database
let reads: LongReads

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  writer = new Database(file)
  makeDurable(writer)
  writer.exec('create table notes (id integer primary key, text text)')
  reads = new LongReads(file)
})

afterEach(async () => {
  await reads.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const addNote = (text: string) => writer.prepare('insert into notes (text) values (?)').run(text)

const count = async (connection: SqlConnection) =>
  (await connection.rows('select count(*) from notes', []))[0]?.[0]

/** Takes some tenths of a second. */
const slow =
  'with recursive c(n) as (select 1 union all select n + 1 from c where n < 1000000) select count(*) from c'

test('[SQLITE-23] reads one snapshot, whatever is written meanwhile', async () => {
  addNote('one')
  const counts = await reads.read(async (connection) => {
    const before = await count(connection)
    addNote('two')
    return [before, await count(connection)]
  })
  expect(counts).toEqual([1, 1])
  expect(await reads.read(count)).toBe(2)
})

test('[SQLITE-23] answers in every form, and refuses to write', async () => {
  addNote('x')
  await reads.read(async (connection) => {
    expect(await connection.all('select text from notes where id = +?', [1])).toEqual([
      { text: 'x' },
    ])
    const values = 'select value from json_each(?)'
    expect(await connection.rows(values, [['a', 'b']])).toEqual([['a'], ['b']])
    expect(await connection.rows('select +?', [true])).toEqual([[1]])
    const batch = await connection.rowsWithin(values, [['aaaa', 'bbbb', 'cccc']], 25)
    expect(batch).toEqual({ rows: [['aaaa'], ['bbbb']], size: 24, isCut: true })
    await expect(connection.run('delete from notes', [])).rejects.toThrow('only read')
    await expect(connection.define('drop table notes')).rejects.toThrow('only read')
    await expect(connection.rows('delete from notes returning id', [])).rejects.toThrow('readonly')
    await expect(connection.rows('select wrong', [])).rejects.toMatchObject({ kind: 'other' })
  })
  expect(await reads.read(count)).toBe(1)
})

test('[SQLITE-23] lets the event loop turn while a statement runs', async () => {
  let turns = 0
  let isDone = false
  const reading = reads
    .read((connection) => connection.rows(slow, []))
    .finally(() => {
      isDone = true
    })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  expect(await reading).toEqual([[1_000_000]])
  expect(turns).toBeGreaterThan(20)
})

test('[SQLITE-23] takes a large answer in piece by piece', async () => {
  for (let index = 0; index < 50; index++) addNote(`${index}${'x'.repeat(100_000)}`)
  const rows = await reads.read((connection) => connection.rows('select id, text from notes', []))
  expect(rows.map(([id, text]) => [id, (text as string).length])).toEqual(
    Array.from({ length: 50 }, (_, index) => [index + 1, 100_000 + `${index}`.length]),
  )
})

test('[SQLITE-23] goes on with some at a time, lets others wait, refuses too many', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let running = 0
  const hold = () =>
    reads.read(async (connection) => {
      running++
      await gate
      return count(connection)
    })
  const held: Promise<unknown>[] = []
  let refusal: unknown
  while (refusal === undefined && held.length < 200) {
    const outcome = hold()
    held.push(outcome)
    refusal = await Promise.race([
      outcome.catch((error) => error),
      new Promise((resolve) => setImmediate(resolve, undefined)),
    ])
  }
  expect(refusal).toMatchObject({ kind: 'unavailable' })
  expect(running).toBeLessThanOrEqual(8)
  open()
  const outcomes = await Promise.allSettled(held)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(running).toBe(held.length - 1)
})

test('[SQLITE-23] takes no reader from those who are quick', async () => {
  writer.close()
  rmSync(file)
  const open = await sqlite({ file, readers: 1 }).open({ onCommit: () => {} })
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  const long = open.store.read(
    async (tx) => {
      await tx.users.find('usr1')
      await gate
      return tx.users.find('usr1')
    },
    { isLong: true },
  )
  expect(await open.store.read((tx) => tx.users.find('usr1'))).toBeUndefined()
  letGo()
  expect(await long).toBeUndefined()
  await open.close()
})

test('[SQLITE-24] tells those who read on a thread that ends, and reads on with another', async () => {
  const reading = reads.read(async (connection) => {
    await count(connection)
    const slowly = connection.rows(slow.replace('1000000', '100000000'), [])
    await reads.close()
    return slowly
  })
  await expect(reading).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await reads.read(count)).toBe(0)
})

test('[SQLITE-24] answers with an error what can not be read', async () => {
  writer.pragma('wal_checkpoint(truncate)')
  writer.close()
  writeFileSync(file, 'nothing of the kind')
  await expect(reads.read(count)).rejects.toMatchObject({ kind: 'unreadable' })
  expect(await reads.check()).toEqual(['file is not a database'])
})

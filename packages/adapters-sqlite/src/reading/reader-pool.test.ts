import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commitCount } from '../connection/commit-count.ts'
import { makeDurable } from '../connection/open-writer.ts'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { findDamage } from '../file/find-damage.ts'
import { ReaderPool } from './reader-pool.ts'

/** A connection that tells which snapshots it began and ended. */
class TalkingConnection extends SqliteConnection {
  override control(sql: string): void {
    super.control(sql)
    controls.push(sql)
  }
}

let folder: string
let file: string
let writer: Database.Database
let pool: ReaderPool
let controls: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  writer = new Database(file)
  makeDurable(writer)
  writer.exec('create table notes (id integer primary key)')
  controls = []
  pool = new ReaderPool(() => new TalkingConnection(new Database(file, { readonly: true })), 2)
})

afterEach(async () => {
  await nextTurn()
  pool.close()
  writer.close()
  expect(findDamage(join(folder, 'workspace.db'))).toEqual([])
  rmSync(folder, { recursive: true })
})

const count = async (connection: SqliteConnection) =>
  Number((await connection.rows('select count(*) from notes', []))[0]?.[0])

/** Commits as the writer does. */
function addNote(): void {
  writer.exec('insert into notes default values')
  commitCount.made++
}

test('[SQLITE-14] gives reads of one turn one snapshot, and those of the next turn another', async () => {
  const counts = await Promise.all(Array.from({ length: 10 }, () => pool.read(count)))
  expect(counts).toEqual(new Array(10).fill(0))
  await nextTurn()
  expect(controls).toEqual(['BEGIN', 'COMMIT'])
  addNote()
  expect(await pool.read(count)).toBe(1)
  await nextTurn()
  expect(controls).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT'])
})

test('[SQLITE-14] shows reads what was committed before they came, within one turn too', async () => {
  expect(await pool.read(count)).toBe(0)
  addNote()
  expect(await pool.read(count)).toBe(1)
})

test('[SQLITE-14] keeps a snapshot that is in use, whatever comes after it', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const long = pool.read(async (connection) => {
    const before = await count(connection)
    await gate
    return [before, await count(connection)]
  })
  const short = pool.read(count)
  expect(await short).toBe(0)
  await nextTurn()
  addNote()
  expect(await pool.read(count)).toBe(1)
  open()
  expect(await long).toEqual([0, 0])
})

test('[SQLITE-14] goes on after reads that fail', async () => {
  const failing = Array.from({ length: 5 }, () => pool.read(() => Promise.reject(new Error('no'))))
  const outcomes = await Promise.allSettled([...failing, pool.read(count)])
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...new Array(5).fill('rejected'),
    'fulfilled',
  ])
  await nextTurn()
  expect(controls).toEqual(['BEGIN', 'COMMIT'])
})

test('[SQLITE-14] lets reads wait while every connection is lent', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const held: Promise<void>[] = []
  for (let index = 0; index < 2; index++) {
    held.push(pool.read(() => gate))
    await nextTurn()
  }
  let isRead = false
  const waiting = pool.read(count).then(() => {
    isRead = true
  })
  await nextTurn()
  expect(isRead).toBe(false)
  open()
  await Promise.all([...held, waiting])
  expect(isRead).toBe(true)
})

test('[SQLITE-43] keeps a connection for short reads, however many last', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const begun: number[] = []
  const lasting: Promise<void>[] = []
  for (let index = 0; index < 5; index++) {
    const work = () => {
      begun.push(index)
      return gate
    }
    lasting.push(pool.read(work, { lasts: true }))
    await nextTurn()
  }
  expect(begun).toEqual([0])
  for (let times = 0; times < 3; times++) {
    expect(await pool.read(count)).toBe(0)
    addNote()
    expect(await pool.read(count)).toBe(1)
    writer.exec('delete from notes')
    commitCount.made++
  }
  open()
  await Promise.all(lasting)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('[SQLITE-43] a read that lasts shares no snapshot with a short one, and takes the only connection where there is one', async () => {
  const single = new ReaderPool(
    () => new TalkingConnection(new Database(file, { readonly: true })),
    1,
  )
  const counts = await Promise.all([
    single.read(count, { lasts: true }),
    single.read(count),
    single.read(count, { lasts: true }),
    single.read(count),
  ])
  expect(counts).toEqual([0, 0, 0, 0])
  await nextTurn()
  expect(controls).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'COMMIT'])
  single.close()
})

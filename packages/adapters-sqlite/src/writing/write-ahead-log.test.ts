import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { limits } from '@gateleg/domain/limits'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeptRowsOfFile } from '../connection/kept-rows.ts'
import { openReader } from '../connection/open-reader.ts'
import { makeDurable, openWriter } from '../connection/open-writer.ts'
import type { SqliteConnection } from '../connection/sqlite-connection.ts'
import { findDamage } from '../file/find-damage.ts'
import { LongReads } from '../reading/long-reads.ts'
import { ReaderPool } from '../reading/reader-pool.ts'
import { sqlite } from '../sqlite.ts'
import { LongWrites } from './long-writes.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { WriteQueue } from './write-queue.ts'

const megabyte = 1024 * 1024

let folder: string
let file: string
let longWrites: LongWrites
let closing: (() => Promise<void> | void)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  file = join(folder, 'workspace.db')
  const database = new Database(file)
  makeDurable(database)
  database.exec('create table notes (id integer primary key, text text)')
  database.close()
  longWrites = new LongWrites(file, new KeptRowsOfFile())
  closing = [() => longWrites.close()]
})

afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  expect(findDamage(file)).toEqual([])
  rmSync(folder, { recursive: true })
})

const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const fileBytes = () => bytesOf(file)
const logBytes = () => bytesOf(`${file}-wal`)

/** A queue that keeps its log small, and what it writes with on the thread that answers. */
function openQueue(...log: ConstructorParameters<typeof WriteAheadLog>) {
  const connection = openWriter(file)
  const keeper = new WriteAheadLog(...log)
  const reopen = () => openWriter(file)
  const queue = new WriteQueue(connection, { reopen, longWrites, log: keeper })
  keeper.takeTurnsIn(queue)
  closing.push(async () => {
    await queue.idle()
    await keeper.close()
    queue.close()
  })
  return { queue, connection, log: keeper }
}

const mover = {
  move: () => longWrites.moveLog(),
  empty: (patienceMs: number) => longWrites.moveLog(patienceMs),
}

const addMegabytes = (count: number) => async (connection: SqlConnection) => {
  for (let index = 0; index < count; index++) {
    await connection.run('insert into notes (text) values (?)', ['x'.repeat(megabyte)])
  }
}

const addNote = (connection: SqlConnection) =>
  connection.run('insert into notes (text) values (?)', ['short'])

const count = async (connection: SqlConnection) =>
  (await connection.rows('select count(*) from notes', []))[0]?.[0]

const long = { isLong: true }

/** Keeps what is written from now on in the log; returns what ends that. */
function holdSnapshot(): () => void {
  const reader = new Database(file, { readonly: true })
  reader.exec('begin')
  reader.prepare('select count(*) from notes').get()
  return () => reader.close()
}

test('[SQLITE-35] no commit moves a large log, that of the long write that made it included', async () => {
  const { promise: gate, resolve: letMove } = Promise.withResolvers<void>()
  const { queue, connection } = openQueue(file, {
    ...mover,
    move: async () => {
      await gate
      return mover.move()
    },
  })
  const letGo = holdSnapshot()
  await queue.write(addMegabytes(20), long)
  expect(fileBytes()).toBeLessThan(megabyte)
  letGo()
  // Any of these would copy the whole log before it is answered.
  for (let index = 0; index < 5; index++) await queue.write(addNote)
  await queue.write(addMegabytes(1), long)
  await queue.write(addNote)
  expect(fileBytes()).toBeLessThan(megabyte)
  expect(connection.movesLog).toBe(false)
  letMove()
  await vi.waitFor(() => expect(logBytes()).toBe(0), 10_000)
  expect(fileBytes()).toBeGreaterThan(20 * megabyte)
  await queue.write(addNote)
  expect(connection.movesLog).toBe(true)
})

test('[SQLITE-35] commits that leave a large log behind a snapshot leave it alone as well', async () => {
  expect(limits.logBytesMovedAtOnce).toBe(8 * megabyte)
  const { queue, connection } = openQueue(file, mover)
  const letGo = holdSnapshot()
  for (let index = 0; index < 12; index++) await queue.write(addMegabytes(1))
  expect(connection.movesLog).toBe(false)
  expect(logBytes()).toBeGreaterThan(12 * megabyte)
  letGo()
  await vi.waitFor(() => expect(logBytes()).toBe(0), 10_000)
})

test('[SQLITE-112] no commit moves the log that a long write has left, which is moved once beside them', async () => {
  const { promise: gate, resolve: letMove } = Promise.withResolvers<void>()
  const moves: string[] = []
  const { queue, connection, log } = openQueue(file, {
    move: async () => {
      moves.push('moves')
      await gate
      return mover.move()
    },
    empty: async () => {
      moves.push('empties')
      return true
    },
  })
  await queue.write(addMegabytes(2), long)
  await queue.write(addNote)
  expect(moves).toEqual([])
  // With this one, a short commit would have more than it moves, and less than is large.
  await queue.write(addMegabytes(3), long)
  await queue.write(addNote)
  await queue.write(addMegabytes(1), long)
  await queue.write(addNote)
  expect(connection.movesLog).toBe(false)
  expect(fileBytes()).toBeLessThan(megabyte)
  letMove()
  await vi.waitFor(() => expect(log.isMovedElsewhere).toBe(false), 10_000)
  expect(moves).toEqual(['moves'])
  expect(fileBytes()).toBeGreaterThan(6 * megabyte)
  await queue.write(addNote)
  expect(connection.movesLog).toBe(true)
})

test('[SQLITE-112] a log with hardly anything new is left alone', async () => {
  expect(limits.logBytesMovedAfterLong).toBe(3 * megabyte)
  const { queue } = openQueue(file, mover)
  await queue.write(addNote)
  const before = fileBytes()
  expect(await longWrites.moveLog()).toBe(true)
  expect(fileBytes()).toBe(before)
  await queue.write(addMegabytes(2))
  expect(await longWrites.moveLog()).toBe(true)
  expect(fileBytes()).toBeGreaterThan(before + megabyte)
})

test('[SQLITE-35] commits look at the log once each, and together once more when they have ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { queue, log } = openQueue(file, mover)
  const looks = vi.spyOn(WriteAheadLog.prototype, 'isLarge', 'get')
  for (let index = 0; index < 10; index++) await queue.write(addNote)
  await queue.idle()
  expect(looks).toHaveBeenCalledTimes(10)
  vi.runAllTimers()
  expect(looks).toHaveBeenCalledTimes(11)
  await queue.write(addNote)
  await log.close()
  vi.runAllTimers()
  expect(looks).toHaveBeenCalledTimes(12)
  looks.mockRestore()
  vi.useRealTimers()
})

test('[SQLITE-35] nobody writes while the log is emptied, and others may write while it is moved', async () => {
  const done: string[] = []
  const { promise: moved, resolve: endMove } = Promise.withResolvers<boolean>()
  const { promise: emptied, resolve: endEmpty } = Promise.withResolvers<void>()
  const { queue } = openQueue(file, {
    move: () => moved,
    empty: async (patienceMs) => {
      done.push('empties')
      await emptied
      done.push('emptied')
      return mover.empty(patienceMs)
    },
  })
  await queue.write(addMegabytes(20), long)
  await queue.write(addNote)
  done.push('written')
  endMove(true)
  await vi.waitFor(() => expect(done).toContain('empties'))
  const next = queue.write(addNote).then(() => done.push('written'))
  endEmpty()
  await next
  expect(done).toEqual(['written', 'empties', 'emptied', 'written'])
})

test('[SQLITE-35] a log that a killed process has left large is moved and emptied', async () => {
  const left = join(folder, 'left.db')
  const open = await sqlite({ file: left }).open({ onCommit: () => {} })
  await open.close()
  const opened = new Database(left)
  opened.pragma('wal_autocheckpoint = 0')
  opened.exec(`create table filler (text text);
    with recursive c(n) as (select 1 union all select n + 1 from c where n < 20)
    insert into filler select printf('%.*c', 1000000, 'x') from c`)
  const copy = join(folder, 'copy.db')
  for (const ending of ['', '-wal']) copyFileSync(`${left}${ending}`, `${copy}${ending}`)
  opened.close()
  expect(bytesOf(`${copy}-wal`)).toBeGreaterThan(19 * megabyte)
  const again = await sqlite({ file: copy }).open({ onCommit: () => {} })
  const pragmas = vi.spyOn(Database.prototype, 'pragma')
  await again.started?.()
  expect(pragmas).not.toHaveBeenCalled()
  pragmas.mockRestore()
  await vi.waitFor(() => expect(bytesOf(`${copy}-wal`)).toBe(0), 10_000)
  await again.close()
  expect(findDamage(copy)).toEqual([])
})

test('[SQLITE-35] [SQLITE-12] closing lets a move come to its end, and begins none', async () => {
  const steps: string[] = []
  const { promise: moved, resolve: endMove } = Promise.withResolvers<boolean>()
  const { queue, log } = openQueue(file, {
    move: () => {
      steps.push('moves')
      return moved
    },
    empty: async (patienceMs) => {
      steps.push('empties')
      return mover.empty(patienceMs)
    },
  })
  await queue.write(addMegabytes(20), long)
  await vi.waitFor(() => expect(steps).toEqual(['moves']))
  const closed = log.close().then(() => steps.push('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(steps).toEqual(['moves'])
  endMove(true)
  await closed
  await queue.write(addMegabytes(1), long)
  await queue.idle()
  expect(steps).toEqual(['moves', 'closed'])
})

/** Two who read for long without a pause, and write meanwhile. Returns the most bytes that the log had. */
async function overlap(reads: LongReads, queue: WriteQueue): Promise<number> {
  let most = 0
  const readOn = async (caller: string) => {
    for (let round = 0; round < 10; round++) {
      await reads.read(async (connection) => {
        const before = await count(connection)
        await queue.write(addMegabytes(2), long)
        most = Math.max(most, logBytes())
        expect(await count(connection)).toBe(before)
      }, caller)
    }
  }
  await Promise.all([readOn('a'), readOn('b')])
  return most
}

test('[SQLITE-36] long reads that overlap wait for the log to be emptied, which bounds it', async () => {
  expect(limits.logBytesForLongReads).toBe(512 * megabyte)
  const bounds = { movedAtOnce: megabyte, forLongReads: 6 * megabyte }
  const { queue, log } = openQueue(file, mover, bounds)
  const reads = new LongReads(file, log)
  closing.push(() => reads.close())
  const most = await overlap(reads, queue)
  // The two reads that began before it was full write once more each.
  expect(most).toBeGreaterThan(bounds.forLongReads)
  expect(most).toBeLessThan(bounds.forLongReads + 5 * megabyte)
})

test('[SQLITE-36] quick reads that overlap all the time have no say in when the log is emptied', async () => {
  const bounds = { movedAtOnce: megabyte, forLongReads: 6 * megabyte }
  const { queue } = openQueue(file, mover, bounds)
  const pool = new ReaderPool(() => openReader(file), 4)
  closing.push(() => pool.close())
  let isOver = false
  const readOn = async (place: number) => {
    await setTimeout(40 * place)
    while (!isOver) {
      await pool.read(async (connection) => {
        const before = await count(connection)
        await setTimeout(160)
        expect(await count(connection)).toBe(before)
      })
    }
  }
  const reading = Promise.all([0, 1, 2, 3].map(readOn))
  let most = 0
  for (let round = 0; round < 30; round++) {
    await queue.write(addMegabytes(2), long)
    most = Math.max(most, logBytes())
  }
  isOver = true
  await reading
  expect(most).toBeGreaterThan(bounds.forLongReads)
  // With what is written while it is moved: of 60.
  expect(most).toBeLessThan(bounds.forLongReads + 20 * megabyte)
})

test('[SQLITE-36] writers wait for quick reads to end where the log is full, for nothing else, and not again and again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  closing.push(() => void vi.useRealTimers())
  const waited: number[] = []
  const empty = async (patienceMs: number) => {
    waited.push(patienceMs)
    return false
  }
  const bounds = { movedAtOnce: -1, forLongReads: -1 }
  const log = new WriteAheadLog(file, { move: async () => true, empty }, bounds)
  closing.push(() => log.close())
  log.longReadBegins()
  log.takeTurnsIn({ takeTurn: (run) => run() })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(new Set(waited)).toEqual(new Set([15]))
  waited.length = 0
  log.longReadEnds()
  await vi.advanceTimersByTimeAsync(100_000)
  const patient = waited.flatMap((ms, index) => (ms === 15 ? [] : [index]))
  expect(patient).toEqual([0, 15])
  expect(waited[0]).toBe(5_000)
  expect(limits.fullLogHoldSeconds).toBe(5)
})

test('[SQLITE-36] a long read that waits for too long is told when to try again, and nothing else', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  closing.push(() => void vi.useRealTimers())
  const { log } = openQueue(file, mover, { movedAtOnce: 0, forLongReads: -1 })
  const reads = new LongReads(file, log)
  closing.push(() => reads.close())
  let began = 0
  const outcomes = Promise.allSettled(
    ['a', 'b'].map((caller) => reads.read(async () => void began++, caller)),
  )
  vi.advanceTimersByTime(limits.fullLogWaitSeconds * 1_000)
  expect(await outcomes).toMatchObject(
    Array(2).fill({
      status: 'rejected',
      reason: { code: 'service_busy', data: { retryAfterSeconds: 5 } },
    }),
  )
  expect(began).toBe(0)
  expect(limits.fullLogWaitSeconds).toBe(10)
})

test('[SQLITE-9] what is taken out of the log is on disk, and the log goes on as one', async () => {
  const { queue, connection } = openQueue(file, mover)
  await queue.write(addMegabytes(20), long)
  await vi.waitFor(() => expect(logBytes()).toBe(0), 10_000)
  await queue.write(addNote)
  expect(logBytes()).toBeGreaterThan(0)
  const mode = await (connection as SqliteConnection).rows('pragma journal_mode', [])
  expect(mode).toEqual([['wal']])
})

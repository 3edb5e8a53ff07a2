import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '@gateleg/domain/limits'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { withLimits } from '@gateleg/testing/with-limits'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeDurable } from '../connection/open-writer.ts'
import { sqlite } from '../sqlite.ts'
import { LongReads } from './long-reads.ts'

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

test('[SQLITE-33] a process goes on until reads are closed whose last one has just been answered', () => {
  const program = `
    import { Worker } from 'node:worker_threads'
    import { LongReads } from ${JSON.stringify(new URL('long-reads.ts', import.meta.url).href)}
    // As a thread that has much to put away.
    const { terminate } = Worker.prototype
    Worker.prototype.terminate = function () {
      return new Promise((resolve) => setTimeout(resolve, 200).unref()).then(() => terminate.call(this))
    }
    const reads = new LongReads(${JSON.stringify(file)})
    await reads.read((connection) => connection.rows('select 1', []))
    await reads.close()
    console.log('closed')`
  const args = ['--input-type=module-typescript', '-e', program]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('closed\n')
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

/** Holds reads of callers until they are let go of; tells whose have begun, in their order. */
function held() {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const begun: string[] = []
  const hold = (caller: string) =>
    reads.read(async (connection) => {
      begun.push(caller)
      await gate
      return count(connection)
    }, caller)
  return { begun, hold, open }
}

test('[SQLITE-23] [SQLITE-29] goes on with some at a time, refuses too many of one caller alone', async () => {
  expect(limits.longReadsWaitingPerCaller).toBe(25)
  const { begun, hold, open } = held()
  const many = Promise.allSettled(Array.from({ length: 60 }, () => hold('many')))
  const other = hold('other')
  await new Promise((resolve) => setImmediate(resolve))
  const atOnce = begun.length
  expect(atOnce).toBeLessThanOrEqual(8)
  open()
  const refused = (await many).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(60 - atOnce - limits.longReadsWaitingPerCaller)
  for (const outcome of refused) {
    // Without a cause: nothing has failed, and the log need not hear of it.
    expect(outcome).toMatchObject({ reason: { code: 'service_busy' } })
    expect(outcome).not.toHaveProperty('reason.cause')
  }
  expect(await other).toBe(0)
  expect(begun).toHaveLength(60 - refused.length + 1)
})

test('[SQLITE-29] callers take turns, whoever came first with many', async () => {
  const { begun, hold, open } = held()
  const first = Array.from({ length: 20 }, () => hold('many'))
  const others = ['a', 'b', 'a'].map(hold)
  await new Promise((resolve) => setImmediate(resolve))
  const atOnce = begun.length
  open()
  await Promise.all([...first, ...others])
  expect(begun.slice(atOnce, atOnce + 5)).toEqual(['many', 'a', 'b', 'many', 'a'])
})

test('[SQLITE-29] the storage says whose a long read is', async () => {
  writer.close()
  rmSync(file)
  const open = await sqlite({ file }).open({ onCommit: () => {} })
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  const read = (caller: string) =>
    open.store.read(
      async (tx) => {
        await gate
        return tx.users.find('usr1')
      },
      { isLong: true, caller },
    )
  const many = Promise.allSettled(Array.from({ length: 60 }, () => read('many')))
  const other = read('other')
  letGo()
  expect(await other).toBeUndefined()
  expect((await many).some(({ status }) => status === 'rejected')).toBe(true)
  await open.close()
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

test('[SQLITE-40] a row that is long comes in pieces, and is whole', async () => {
  const asked = vi.spyOn(Worker.prototype, 'postMessage')
  for (const length of [1, 5_000, 1_000_000]) addNote('x'.repeat(length))
  const columns = Array.from({ length: 40 }, (_, n) => `substr(text, 1, ${n * 10_000}) || ${n}, id`)
  const sql = `select ${columns.join()} from notes where id >= ?`
  const whole = writer.prepare(sql).raw().all(1)
  await reads.read(async (connection) => {
    const before = asked.mock.calls.length
    expect(await connection.rows(sql, [1])).toEqual(whole)
    // 8 million characters in the last of them, of which a quarter of a million makes a piece.
    expect(asked.mock.calls.length - before).toBeGreaterThan(20)
    expect((await connection.rowsWithin(sql, [1], 100_000)).rows).toEqual(whole.slice(0, 1))
    expect((await connection.rowsWithin(sql, [3], 100_000)).rows).toEqual(whole.slice(2))
  })
})

test('[SQLITE-37] has room for snapshots that each hold what is read at one time, of the widest letters', async () => {
  expect(limits.statementThreadBytes).toBe(256 * 1024 * 1024)
  const cells = Array.from({ length: 64 }, () => 'я'.repeat(limits.recordsLength / 64))
  for (const cell of cells) addNote(cell)
  const sizes = await Promise.all(
    Array.from({ length: 8 }, () =>
      reads.read(async (connection) => {
        expect(await connection.rows('pragma cache_size', [])).toEqual([[-2_048]])
        const size = 2 * limits.recordsLength
        let read = 0
        for (let round = 0; round < 3; round++) {
          read += (await connection.rowsWithin('select text from notes', [], size)).rows.length
        }
        return read
      }),
    ),
  )
  expect(sizes).toEqual(Array(8).fill(3 * cells.length))
})

test('[SQLITE-37] [SQLITE-24] a thread that takes more memory ends, and nothing else', async () => {
  const long = `with recursive c(n) as (select 1 union all select n + 1 from c where n < 400)
    select printf('%.*c', 1000000 + n, 'x') from c`
  const reading = reads.read((connection) => connection.rows(long, []))
  await expect(reading).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await reads.read(count)).toBe(0)
})

/** Never ends by itself; calls a function of ours for each row. */
const endless =
  "with recursive c(n) as (select 1 union all select n + 1 from c) select 1 from c where gateleg_fold(n || 'É') = ''"

test('[SQLITE-49] a statement that runs for too long fails, its thread ends, and the next read gets another', async () => {
  expect(limits.longReadStatementMs).toBe(30_000)
  const asked = vi.spyOn(Worker.prototype, 'postMessage')
  await withLimits({ longReadStatementMs: 50 }, async () => {
    const reading = reads.read((connection) => connection.rows(endless, []))
    const beside = reads.read(async (connection) => {
      for (;;) await count(connection)
    })
    // `unavailable` is 503 with `Retry-After`.
    await expect(reading).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'A statement took too long',
    })
    await expect(beside).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await reads.read(count)).toBe(0)
    const workers = new Set(asked.mock.contexts as Worker[])
    expect(workers.size).toBe(2)
    // A worker that has ended is the thread -1: the statement has stopped with it.
    await vi.waitFor(
      () => expect([...workers].map(({ threadId }) => threadId)).toContain(-1),
      20_000,
    )
  })
})

test('[SQLITE-49] whoever reads when reads are closed is told so as when a thread ends, and the statement stops', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const reading = reads.read(async (connection) => {
    await count(connection)
    begin()
    return connection.rows(endless, [])
  })
  const failing = expect(reading).rejects.toMatchObject({ kind: 'unavailable' })
  await begun
  await new Promise((resolve) => setTimeout(resolve, 100))
  await reads.close()
  await failing
})

test('[SQLITE-49] a read of many statements, and what comes in parts, takes as long as it takes', async () => {
  for (let index = 0; index < 9; index++) addNote('x')
  await withLimits({ longReadStatementMs: 500 }, () =>
    reads.read(async (connection) => {
      const untilMs = performance.now() + 1_500
      while (performance.now() < untilMs) {
        await connection.rowsWithin('select text from notes', [], 30)
        // Busy nearly all the time, so that each look finds some statement.
        await connection.rows(slow.replace('1000000', '50000'), [])
      }
    }),
  )
  expect(await reads.read(count)).toBe(9)
})

test('[SQLITE-49] a check of the file is not cut, however long it takes', async () => {
  for (let index = 0; index < 30; index++) addNote('x'.repeat(1_000_000))
  await withLimits({ longReadStatementMs: 0 }, async () => {
    expect(await reads.check()).toEqual([])
  })
})

test('[SQLITE-60] a check that is broken off does not count as one that found nothing', async () => {
  const checking = reads.check()
  await reads.close()
  expect(await checking).toBeUndefined()
})

test('[SQLITE-49] a process that is told to end does not wait for a statement that can not be stopped', () => {
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    import { LongReads } from ${url('long-reads.ts')}
    import { limits } from ${JSON.stringify(import.meta.resolve('@gateleg/domain/limits'))}
    Object.assign(limits, { longReadStatementMs: 500 })
    const endless = 'with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c'
    const reads = new LongReads(${JSON.stringify(file)})
    const { promise: begun, resolve: begin } = Promise.withResolvers()
    const reading = reads.read(async (connection) => {
      await connection.rows('select 1', [])
      begin()
      return connection.rows(endless, [])
    })
    const failing = reading.catch(({ kind }) => console.log(kind))
    await begun
    await new Promise((resolve) => setTimeout(resolve, 100))
    await reads.close()
    await failing
    console.log('closed')
    process.exit(0)`
  const args = ['--input-type=module-typescript', '-e', program]
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 25_000 })
  expect(ended.stdout).toBe('unavailable\nclosed\n')
  expect(ended.signal).toBe('SIGKILL')
})

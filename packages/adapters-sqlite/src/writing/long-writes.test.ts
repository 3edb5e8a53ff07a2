import { limits } from '@gateleg/domain/limits'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addedRows, addNote, type NotesFile, openNotesFile } from '../../../../test/notes-file.ts'

let notes: NotesFile
let queue: NotesFile['queue']
let longWrites: NotesFile['longWrites']

beforeEach(() => {
  notes = openNotesFile()
  ;({ queue, longWrites } = notes)
})
afterEach(async () => {
  expect(await notes.close()).toEqual([])
})

const long = { isLong: true }

/** Takes some tenths of a second. */
const slow =
  'with recursive c(n) as (select 1 union all select n + 1 from c where n < 1000000) select count(*) from c'

test('[SQLITE-30] lets the event loop turn while a statement of a long write runs', async () => {
  let turns = 0
  let isDone = false
  const writing = queue
    .write(async (connection) => {
      await addNote(connection, 1)
      return connection.rows(slow, [])
    }, long)
    .finally(() => {
      isDone = true
    })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  expect(await writing).toEqual([[1_000_000]])
  expect(turns).toBeGreaterThan(20)
})

test('[SQLITE-30] [SQLITE-6] answers a long write in every form, and when others can see it', async () => {
  const seen = await queue.write(async (connection) => {
    await connection.define('create table more (a text, b integer)')
    const runs = [[['x', 1]], [['y', 2]]].map((values) => addedRows('more', values))
    expect(await connection.addInOrder?.(runs)).toBe(2)
    expect(await connection.run('update more set b = b + +?', [10])).toBe(2)
    expect(await connection.all('select * from more where a = ?', ['x'])).toEqual([
      { a: 'x', b: 11 },
    ])
    const batch = await connection.rowsWithin('select a from more order by a', [], 10)
    expect(batch).toEqual({ rows: [['x']], size: 9, isCut: true })
    await addNote(connection, 1)
    return notes.committedIds()
  }, long)
  expect(seen).toEqual([])
  expect(notes.committedIds()).toEqual([1])
})

test('[SQLITE-9] [SQLITE-31] a long write is synced, and holds to what refers to what, as any other', async () => {
  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys']
  const settings = await queue.write(
    (connection) => Promise.all(pragmas.map((name) => connection.rows(`pragma ${name}`, []))),
    long,
  )
  expect(settings.flat(2)).toEqual(['wal', 2, 1])
})

test('[SQLITE-31] [SQLITE-26] no other write begins while a long one goes on', async () => {
  const done: string[] = []
  const write = (name: string, isLong: boolean) =>
    queue.write(
      async (connection) => {
        done.push(`${name} begins`)
        await addNote(connection, done.length)
        await connection.rows('select count(*) from notes', [])
        done.push(`${name} ends`)
      },
      { caller: name, isLong },
    )
  await Promise.all([write('a', false), write('b', true), write('c', false), write('d', true)])
  expect(done).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  expect(notes.committedIds()).toEqual([1, 3, 5, 7])
})

test('[SQLITE-41] [SQLITE-26] short writes go before the next long one, one of each other caller', async () => {
  const done: string[] = []
  const writes: Promise<void>[] = []
  const write = (name: string, isLong: boolean, others = () => {}) => {
    const work = async (connection: SqlConnection) => {
      others()
      done.push(name)
      await addNote(connection, done.length)
    }
    writes.push(queue.write(work, { caller: name.slice(0, 1), isLong }))
  }
  write('a1 long', true, () => {
    for (const name of ['b1 long', 'c1 long']) write(name, true)
    for (const name of ['d1', 'a2', 'd2', 'e1', 'c2']) write(name, false)
  })
  while (writes.length > done.length) await Promise.all(writes)
  expect(done).toEqual(['a1 long', 'd1', 'e1', 'b1 long', 'a2', 'd2', 'c1 long', 'c2'])
})

test('[SQLITE-31] [SQLITE-5] undoes a long write that fails, all of it and nothing else', async () => {
  const outcomes = await Promise.allSettled([
    queue.write((connection) => addNote(connection, 1)),
    queue.write(async (connection) => {
      await addNote(connection, 2)
      const values = [
        [3, 'note 3'],
        [4, 'note 1'],
      ]
      await connection.addInOrder?.([addedRows('notes', values)])
    }, long),
    queue.write(async (connection) => {
      await addNote(connection, 5)
      throw new Error('changed my mind')
    }, long),
    queue.write((connection) => addNote(connection, 6)),
  ])
  expect(outcomes).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { kind: 'unique' } },
    { status: 'rejected', reason: { message: 'changed my mind' } },
    { status: 'fulfilled' },
  ])
  expect(notes.committedIds()).toEqual([1, 6])
})

test('[SQLITE-31] [SQLITE-8] keeps nothing of a long write that runs out of space, whatever it does then', async () => {
  const writing = queue.write(async (connection) => {
    const [[pages] = []] = await connection.rows('pragma page_count', [])
    await connection.rows(`pragma max_page_count = ${Number(pages) + 4}`, [])
    await addNote(connection, 1)
    const failure = await addNote(connection, 2, 'x'.repeat(100_000)).catch((error) => error)
    expect(failure).toMatchObject({ kind: 'full' })
    await addNote(connection, 3).catch(() => undefined)
  }, long)
  await expect(writing).rejects.toMatchObject({ kind: 'other' })
  expect(notes.committedIds()).toEqual([])
  await queue.write((connection) => addNote(connection, 4), long)
  expect(notes.committedIds()).toEqual([4])
})

test('[SQLITE-31] [SQLITE-24] undoes what a thread did that ends, and goes on with another', async () => {
  const writing = queue.write(async (connection) => {
    await addNote(connection, 1)
    const slowly = connection.rows(slow.replace('1000000', '100000000'), [])
    await longWrites.close()
    return slowly
  }, long)
  const next = queue.write((connection) => addNote(connection, 2))
  await expect(writing).rejects.toMatchObject({ kind: 'unavailable' })
  await next
  await queue.write((connection) => addNote(connection, 3), long)
  expect(notes.committedIds()).toEqual([2, 3])
})

test('[SQLITE-30] a write of more than a thousand records is long', () => {
  expect(limits.recordsWrittenAtOnce).toBe(1_000)
})

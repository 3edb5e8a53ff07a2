import { limits } from '@gateleg/domain/limits'
import { type Run, rowSize } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addedRows, type NotesFile, openNotesFile } from '../../../../test/notes-file.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { WaitingRows, waitingColumns, waitingTable } from './waiting-rows.ts'

let notes: NotesFile

beforeEach(() => {
  notes = openNotesFile()
})
afterEach(async () => {
  expect(await notes.close()).toEqual([])
})

const readingFirst = { isLong: true, readsFirst: true }

function opened() {
  const database = new Database(':memory:')
  database.exec('create table t (id integer primary key autoincrement, a text, b real, c)')
  const connection = new SqliteConnection(database)
  return { connection, waiting: new WaitingRows(connection) }
}

function run(values: Run['values'], rows: number): Run {
  const width = 2
  const add = 'insert into t (c, a, b) select x,'
  const same = '(select ? as x)'
  const bound = new Array(rows).fill('(?, ?)').join()
  return {
    sql: `${add} column1, column2 from ${same} cross join (values ${bound})`,
    addWaiting: `${add} ${waitingColumns(width)} from ${same} cross join ${waitingTable(width)}`,
    before: ['same'],
    ...{ values, width },
  }
}

test('[SQLITE-50] rows that waited are as if they had been added at once, in their order', async () => {
  const count = 3_000
  const rows = Array.from({ length: count }, (_, n) => [n % 7 === 0 ? null : `text ${n}`, n / 4])
  const pairs = Array.from({ length: count / 2 }, (_, n) => rows.slice(2 * n, 2 * n + 2).flat())
  const read = 'select * from t order by id'
  const { connection, waiting } = opened()
  await waiting.put(run(pairs.slice(0, -1), 2))
  await waiting.put(run(rows.slice(-2), 1))
  expect(await connection.rows(read, [])).toEqual([])
  connection.control('BEGIN IMMEDIATE')
  expect(await waiting.add()).toBe(count)
  connection.control('COMMIT')
  const direct = opened().connection
  expect(await direct.addInOrder([run(pairs, 2)])).toBe(count)
  expect(await connection.rows(read, [])).toEqual(await direct.rows(read, []))
})

test('[SQLITE-50] none is left once its transaction has ended, however it did', async () => {
  for (const end of ['COMMIT', 'ROLLBACK']) {
    const { connection, waiting } = opened()
    await waiting.put(run([['a', 1]], 1))
    connection.control('BEGIN IMMEDIATE')
    await waiting.add()
    expect(await waiting.add()).toBe(0)
    connection.control(end)
    await waiting.forget()
    const next = new WaitingRows(connection)
    await next.put(run([['b', 2]], 1))
    connection.control('BEGIN IMMEDIATE')
    await next.add()
    connection.control('COMMIT')
    const texts = (await connection.rows('select a from t order by id', [])).flat()
    expect(texts).toEqual(end === 'COMMIT' ? ['a', 'b'] : ['b'])
  }
})

test('[SQLITE-50] a write that fails leaves none of its rows to the next one', async () => {
  const write = (id: number, fails: boolean) =>
    notes.queue.write(
      (connection) =>
        connection.addInOrder?.(
          (function* () {
            yield addedRows('notes', [[id, `note ${id}`]])
            if (fails) throw new Error('no more')
          })(),
        ) ?? Promise.resolve(0),
      readingFirst,
    )
  await expect(write(1, true)).rejects.toThrow('no more')
  expect(await write(2, false)).toBe(2)
  expect(notes.committedIds()).toEqual([2])
})

test('[SQLITE-50] as many as may wait stay in memory, which is given back', async () => {
  const { connection, waiting } = opened()
  // Three bytes each, and just too many of them for a page of SQLite.
  const row = ['界'.repeat(1_400), null]
  const rows = new Array(Math.ceil(limits.lengthSentAhead / rowSize(row))).fill(row)
  await waiting.put(run(rows, 1))
  const pragma = async (name: string) =>
    Number((await connection.rows(`pragma temp.${name}`, []))[0]?.[0])
  const kibibytes = ((await pragma('page_count')) * (await pragma('page_size'))) / 1_024
  expect(kibibytes).toBeGreaterThan(8_000)
  expect(kibibytes).toBeLessThan(-(await pragma('cache_size')))
  await waiting.forget()
  expect(await pragma('page_count')).toBeLessThan(10)
})

import { ProcessorTurns } from '@gateleg/sql/core/processor-turns'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { WriteQueue } from '../writing/write-queue.ts'
import { SqliteConnection } from './sqlite-connection.ts'

/** A connection whose clock goes on by some milliseconds with every look; tells the turns of the loop. */
function connectionThatTakes(milliseconds: number) {
  let time = 0
  const loop = { turns: 0 }
  const turns = new ProcessorTurns({
    now: () => {
      time += milliseconds
      return time
    },
    nextTurn: (call) => {
      setImmediate(() => {
        loop.turns++
        call()
      })
    },
  })
  const database = new Database(':memory:')
  database.exec('create table notes (id integer primary key)')
  return { connection: new SqliteConnection(database, { turns }), loop }
}

test('[SQLITE-16] gives way in a series of statements of any kind', async () => {
  const { connection, loop } = connectionThatTakes(30)
  const kinds = [
    () => connection.all('select id from notes', []),
    () => connection.rows('select id from notes', []),
    () => connection.run('insert into notes default values', []),
    () => connection.define('create table if not exists others (id integer)'),
  ]
  for (const statement of kinds) {
    const before = loop.turns
    for (let times = 0; times < 10; times++) await statement()
    expect(loop.turns - before).toBeGreaterThanOrEqual(5)
  }
})

test('[SQLITE-16] stays in its turn while it is quick', async () => {
  const { connection, loop } = connectionThatTakes(0)
  for (let times = 0; times < 100; times++) await connection.all('select id from notes', [])
  expect(loop.turns).toBe(0)
})

test('[SQLITE-16] goes on with what has taken next to nothing, though others have used the turn up', async () => {
  const { connection, loop } = connectionThatTakes(0.5)
  for (let times = 0; times < 10; times++) {
    connection.control('begin')
    await connection.rows('select id from notes', [])
    connection.control('end')
  }
  expect(loop.turns).toBe(0)
})

test('[SQLITE-16] keeps the writer taken while work gives way', async () => {
  const { connection } = connectionThatTakes(30)
  const queue = new WriteQueue(connection)
  const add = (id: number) => connection.run('insert into notes values (?)', [id])
  const failing = queue.write(async () => {
    for (let id = 0; id < 20; id++) await add(id)
    throw new Error('no')
  })
  const count = () => connection.rows('select count(*) from notes', [])
  const others = [1, 2, 3].map((first) =>
    queue.write(async () => {
      const [before] = await count()
      for (let id = 0; id < 5; id++) await add(first * 100 + id)
      const [after] = await count()
      return Number(after?.[0]) - Number(before?.[0])
    }),
  )
  await expect(failing).rejects.toThrow('no')
  expect(await Promise.all(others)).toEqual([5, 5, 5])
  expect(await count()).toEqual([[15]])
})

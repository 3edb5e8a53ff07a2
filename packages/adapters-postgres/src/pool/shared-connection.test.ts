import { limits } from '@gateleg/domain/limits'
import { withLimits } from '@gateleg/testing/with-limits'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import { ConnectionPool } from './connection-pool.ts'

describe.runIf(isOn('postgres'))('the connection of short reads', () => {
  let pool: ConnectionPool
  let sent: string[]

  const open = () =>
    new ConnectionPool({
      connectionString: testConnectionString(),
      size: 3,
      onStatement: (sql) => sent.push(sql),
    })

  beforeEach(async () => {
    sent = []
    pool = open()
    await untilShared()
  })
  afterEach(() => pool.close())

  const ask = async (sql: string, how: 'all' | 'allOften' = 'all') => {
    const { connection, giveBack } = await pool.lendForShort('ada')
    try {
      return (await connection[how](sql, []))[0]
    } finally {
      giveBack()
    }
  }
  const process = 'select pg_backend_pid() as id'
  const processes = async (count: number) => {
    const rows = await Promise.all(Array.from({ length: count }, () => ask(process)))
    return new Set(rows.map((row) => row?.id))
  }
  /** It is opened with the first reads, which don't wait for it. */
  const untilShared = () => expect.poll(async () => (await processes(3)).size).toBe(1)

  test('[POSTGRES-29] is shared by all that read at the same time', async () => {
    expect((await processes(limits.readsOnSharedConnection)).size).toBe(1)
  })

  test('[POSTGRES-29] is asked the same question once in a turn of the event loop', async () => {
    sent.length = 0
    const questions = ['select 1 as one', 'select 2 as two']
    const both = () => questions.map((question) => ask(question, 'allOften'))
    expect(await Promise.all([...both(), ...both()])).toEqual([
      { one: 1 },
      { two: 2 },
      { one: 1 },
      { two: 2 },
    ])
    expect(sent).toEqual(questions)
    await Promise.all(both())
    expect(sent).toEqual([...questions, ...questions])
  })

  test('[POSTGRES-29] is not joined by more than may share it', async () => {
    await withLimits({ readsOnSharedConnection: 2 }, async () => {
      await pool.close()
      pool = open()
      await expect.poll(async () => (await processes(2)).size).toBe(1)
      expect((await processes(4)).size).toBeGreaterThan(1)
    })
  })

  test('[POSTGRES-29] is not joined while it does not answer', async () => {
    const [shared] = await processes(1)
    let isSlow = true
    const slow = ask('select pg_sleep(0.5)').then(() => {
      isSlow = false
    })
    await new Promise((resolve) => setTimeout(resolve, 2 * limits.sharedConnectionStalledMs))
    const [other] = await processes(1)
    expect([isSlow, other === shared]).toEqual([true, false])
    await slow
    expect(await processes(1)).toEqual(new Set([shared]))
  })

  test('[POSTGRES-29] is replaced once it has not answered for long, twice at most', async () => {
    await withLimits({ sharedConnectionReplacedMs: 100 }, async () => {
      await pool.close()
      pool = open()
      await untilShared()
      const ids: unknown[] = []
      const sleeping: Promise<unknown>[] = []
      for (let stalled = 0; stalled < 2; stalled++) {
        ids.push([...(await processes(1))][0])
        sleeping.push(ask('select pg_sleep(1.5)'))
        await new Promise((resolve) => setTimeout(resolve, 150))
        // The first sees that it is to be replaced, and reads elsewhere.
        await expect.poll(async () => ids.includes([...(await processes(1))][0])).toBe(false)
        await untilShared()
      }
      expect(new Set(ids).size).toBe(2)
      await Promise.all(sleeping)
    })
  })

  test('[POSTGRES-6] is made anew after the server ended it', async () => {
    const [id] = await processes(1)
    await expect(ask(`select pg_terminate_backend(${id}, 0::bigint)`)).rejects.toMatchObject({
      kind: 'unreachable',
    })
    await untilShared()
    expect(await processes(1)).not.toEqual(new Set([id]))
  })

  test('[POSTGRES-6] takes up no place once the server ended it, though nobody read on it', async () => {
    const places = 4
    for (let ended = 0; ended < places; ended++) {
      const [id] = await processes(1)
      const killer = new pg.Client({ connectionString: testConnectionString() })
      await killer.connect()
      await killer.query('select pg_terminate_backend($1, 10000)', [id])
      await killer.end()
      await untilShared()
    }
  })

  test('[POSTGRES-6] does not keep its pool from closing after the server ended it', async () => {
    const closing = open()
    const sharedBy = async () => {
      const { connection, giveBack } = await closing.lendForShort()
      const [row] = await connection.all(process, [])
      giveBack()
      return connection.isShared ? row?.id : undefined
    }
    await expect.poll(sharedBy).toBeTypeOf('number')
    await ask(`select pg_terminate_backend(${await sharedBy()}, 10000)`)
    await closing.close()
  })
})

import { setTimeout } from 'node:timers/promises'
import { CuttableProxy } from '@gateleg/testing/doubles/cuttable-proxy'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import type { PostgresConnection } from '../connection/postgres-connection.ts'
import { ConnectionPool, type ConnectionPoolOptions, type Loan } from './connection-pool.ts'

describe.runIf(isOn('postgres'))('a pool of connections', () => {
  let pools: ConnectionPool[]
  let proxy: CuttableProxy

  beforeEach(async () => {
    pools = []
    const { hostname, port } = new URL(testConnectionString())
    proxy = await CuttableProxy.open({ host: hostname, port: Number(port || 5432) })
  })

  afterEach(async () => {
    for (const pool of pools) await pool.close()
    await proxy.close()
  })

  function newPool(options: Partial<ConnectionPoolOptions> = {}): ConnectionPool {
    const url = new URL(testConnectionString())
    url.hostname = '127.0.0.1'
    url.port = String(proxy.port)
    const pool = new ConnectionPool({ connectionString: url.href, size: 2, ...options })
    pools.push(pool)
    return pool
  }

  async function using<T>(
    pool: ConnectionPool,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const { connection, giveBack } = await pool.lend()
    try {
      return await work(connection)
    } finally {
      giveBack()
    }
  }

  const processId = (pool: ConnectionPool) =>
    using(pool, async (connection) => {
      const [row] = await connection.all('select pg_backend_pid() as id', [])
      return row?.id as number
    })

  test('lends a connection that was given back again', async () => {
    const pool = newPool()
    expect(await processId(pool)).toBe(await processId(pool))
  })

  test('[POSTGRES-6] lends another one in place of one that the server ended', async () => {
    const pool = newPool()
    const id = await processId(pool)
    const killing = using(pool, (connection) =>
      connection.all('select pg_terminate_backend($1::int, 0::bigint)', [id]),
    )
    await expect(killing).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await processId(pool)).not.toBe(id)
  })

  test('[POSTGRES-6] drops idle connections that the server ended', async () => {
    const pool = newPool()
    const id = await processId(pool)
    const other = newPool()
    await using(other, (connection) =>
      connection.all('select pg_terminate_backend($1::int, 0::bigint)', [id]),
    )
    await expect.poll(() => processId(pool).catch(() => id)).not.toBe(id)
  })

  test('[POSTGRES-28] lends no connection for longer than it may live', async () => {
    const pool = newPool({ timeouts: { connectionLife: 100 } })
    const id = await processId(pool)
    await expect.poll(() => processId(pool)).not.toBe(id)
  })

  test('[POSTGRES-6] fails at once when the server takes no connection, and works when it does', async () => {
    const pool = newPool()
    await processId(pool)
    proxy.mode = 'down'
    for (let times = 0; times < 5; times++) {
      await expect(processId(pool)).rejects.toMatchObject({ kind: 'unreachable' })
    }
    proxy.mode = 'pass'
    expect(await processId(pool)).toBeGreaterThan(0)
  })

  test('[POSTGRES-6] gives up a server that says nothing', async () => {
    const pool = newPool({ timeouts: { connection: 1_000, answer: 500 } })
    const before = await processId(pool)
    proxy.mode = 'silent'
    // The connection that there is, then a new one.
    await expect(processId(pool)).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(processId(pool)).rejects.toMatchObject({ kind: 'unreachable' })
    proxy.mode = 'pass'
    expect(await processId(pool)).not.toBe(before)
  })

  test('[POSTGRES-6] gives up a statement that takes too long', async () => {
    const pool = newPool({ timeouts: { statement: 100 } })
    const sleeping = using(pool, (connection) => connection.all('select pg_sleep(10)', []))
    await expect(sleeping).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await processId(pool)).toBeGreaterThan(0)
  })

  test('[POSTGRES-60] bounds each statement, and no transaction, whatever is set for the role', async () => {
    const url = new URL(testConnectionString())
    const direct = newPool({ connectionString: url.href })
    const isKnown = await using(direct, async (connection) => {
      const query = `select 1 from pg_settings where name = 'transaction_timeout'`
      return (await connection.all(query, [])).length > 0
    })
    // As the settings of a role do, those of the address hold from the beginning of a session.
    if (isKnown) url.searchParams.set('options', '-c transaction_timeout=100')
    const pool = newPool({ connectionString: url.href })
    const slept = await using(pool, async (connection) => {
      await connection.begin('read committed')
      await connection.all('select pg_sleep(0.3)', [])
      await connection.commit()
      return true
    })
    expect(slept).toBe(true)
  })

  test('[POSTGRES-8] fails who waits too long for a connection', async () => {
    const pool = newPool({ size: 1, timeouts: { connection: 1_000 } })
    const { giveBack } = await pool.lend()
    await expect(pool.lend()).rejects.toMatchObject({ kind: 'unavailable' })
    giveBack()
    expect(await processId(pool)).toBeGreaterThan(0)
    expect(await processId(pool)).toBeGreaterThan(0)
  })

  test('[POSTGRES-20] keeps connections for others whatever one caller asks for, and has callers take turns', async () => {
    const pool = newPool({ size: 4 })
    // A connection takes a while on a busy machine.
    const waitMs = { timeout: 20_000 }
    const order: string[] = []
    const loans: Loan[] = []
    const ask = async (name: string) => {
      const loan = await pool.lend(name.slice(0, 1))
      order.push(name)
      loans.push(loan)
    }
    const asking = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(ask)
    // Connections that are opened at the same time are there in any order.
    await expect.poll(() => order.toSorted(), waitMs).toEqual(['a1', 'a2', 'a3'])
    asking.push(ask('b1'))
    await expect.poll(() => order.at(-1), waitMs).toBe('b1')
    asking.push(...['b2', 'b3', 'c1'].map(ask))
    for (let given = 0; given < order.length; given++) {
      loans[given]?.giveBack()
      await expect.poll(() => order.length, waitMs).toBe(Math.min(asking.length, given + 5))
    }
    await Promise.all(asking)
    expect(order.slice(4)).toEqual(['a4', 'b2', 'c1', 'a5', 'b3', 'a6'])
  })

  test('[POSTGRES-23] has long reads wait for one another, and nobody else for them', async () => {
    const pool = newPool({ size: 5, timeouts: { longRead: 200 } })
    const reading = [await pool.lendForLong('a'), await pool.lendForLong('b')]
    const third = expect(pool.lendForLong('c')).rejects.toMatchObject({ kind: 'unavailable' })
    const loans = [await pool.lend('c'), await pool.lend('d')]
    await third
    const fourth = pool.lendForLong('e')
    for (const { giveBack } of [...reading, ...loans]) giveBack()
    const { giveBack } = await fourth
    giveBack()
  })

  test('[POSTGRES-140] lets a read become long where there is room among long ones', async () => {
    const pool = newPool({ size: 5, timeouts: { longRead: 200 } })
    const [first, second, third] = [
      await pool.lend('a'),
      await pool.lend('b'),
      await pool.lend('c'),
    ]
    expect([first, first, second, third].map((loan) => loan.tryBecomeLong())).toEqual([
      true,
      true,
      true,
      false,
    ])
    await expect(pool.lendForLong('d')).rejects.toMatchObject({ kind: 'unavailable' })
    first.giveBack()
    expect(third.tryBecomeLong()).toBe(true)
    second.giveBack()
    const { giveBack } = await pool.lendForLong('d')
    giveBack()
    third.giveBack()
  })

  test('[POSTGRES-23] counts no long read that got no connection', async () => {
    const pool = newPool({ size: 1 })
    proxy.mode = 'down'
    await expect(pool.lendForLong('a')).rejects.toMatchObject({ kind: 'unreachable' })
    proxy.mode = 'pass'
    const { giveBack } = await pool.lendForLong('a')
    giveBack()
  })

  test('[POSTGRES-20] gives a place back that no connection came of', async () => {
    const pool = newPool({ size: 1 })
    proxy.mode = 'down'
    await expect(pool.lend('a')).rejects.toMatchObject({ kind: 'unreachable' })
    proxy.mode = 'pass'
    const { giveBack } = await pool.lend('a')
    giveBack()
  })

  test('[POSTGRES-11] prepares a statement once', async () => {
    const pool = newPool({ size: 1 })
    const prepared = async () => {
      const sql = 'select name from pg_prepared_statements where statement = $1'
      return using(pool, (connection) => connection.all(sql, ['select $1::int as a']))
    }
    const run = (value: number) =>
      using(pool, (connection) => connection.rows('select $1::int as a', [value]))
    expect([await run(1), await run(2)]).toEqual([[[1]], [[2]]])
    expect(await prepared()).toHaveLength(1)
  })

  test('[POSTGRES-11] prepares none once its transaction has changed a table, nor what does so', async () => {
    const pool = newPool({ size: 1 })
    const kept = () =>
      using(pool, async (connection) => {
        await connection.begin('read committed')
        const rows = await connection.all('select statement from pg_prepared_statements', [])
        await connection.define('create temporary table kept (a int)')
        expect(await connection.rows('select $1::int as a', [1])).toEqual([[1]])
        await connection.rollback()
        return rows
      })
    const before = await kept()
    expect(before).toHaveLength(2)
    expect(await kept()).toEqual(before)
  })

  test('[POSTGRES-11] replaces a connection whose statements take too much memory', async () => {
    const pool = newPool({ size: 1 })
    const id = await processId(pool)
    const prepare = (from: number, to: number) =>
      using(pool, async (connection) => {
        for (let n = from; n < to; n++) {
          await connection.all(`select ${n} as a -- ${'x'.repeat(100_000)}`, [])
        }
      })
    await prepare(0, 10)
    expect(await processId(pool)).toBe(id)
    await prepare(10, 14)
    expect(await processId(pool)).not.toBe(id)
  })

  test('[POSTGRES-11] replaces a connection that holds too many of them', async () => {
    const pool = newPool({ size: 1 })
    const id = await processId(pool)
    const prepare = (from: number, to: number) =>
      using(pool, async (connection) => {
        const numbers = Array.from({ length: to - from }, (_, index) => from + index)
        await Promise.all(numbers.map((n) => connection.all(`select ${n} as a`, [])))
      })
    await prepare(0, 999)
    expect(await processId(pool)).toBe(id)
    await prepare(999, 1001)
    expect(await processId(pool)).not.toBe(id)
  })

  test('[POSTGRES-15] reads moments in UTC, whatever the time zone of the session was', async () => {
    const url = new URL(testConnectionString())
    url.searchParams.set('options', '-c timezone=America/St_Johns -c datestyle=German')
    const pool = newPool({ connectionString: url.href })
    const moments = [
      '0001-01-01T00:00:00.000Z',
      '1900-07-01T12:00:00.120Z',
      '9999-12-31T23:59:59.999Z',
    ]
    for (const moment of moments) {
      const rows = await using(pool, (connection) =>
        connection.rows('select $1::timestamptz(3)', [moment]),
      )
      expect(rows).toEqual([[moment]])
    }
  })

  test('[POSTGRES-26] what runs apart ends when it is told to, and none begins after that', async () => {
    const pool = newPool()
    let onBegun = () => {}
    const begun = new Promise<void>((resolve) => (onBegun = resolve))
    const sleeping = pool.apart(async (connection) => {
      const sleep = connection.all('select pg_sleep(20)', [])
      onBegun()
      await sleep
    })
    await begun
    const startedMs = performance.now()
    await Promise.all([
      expect(sleeping).rejects.toMatchObject({ kind: 'unavailable' }),
      pool.interrupt(),
    ])
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    await expect(pool.apart(async () => {})).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('[POSTGRES-26] what runs apart ends when it is told to between two statements', async () => {
    const pool = newPool()
    const startedMs = performance.now()
    const between = Promise.withResolvers<void>()
    const working = pool.apart(async (connection) => {
      between.resolve()
      await setTimeout(500)
      await connection.all('select pg_sleep(20)', [])
    })
    await between.promise
    await Promise.all([
      expect(working).rejects.toMatchObject({ kind: 'unavailable' }),
      pool.interrupt(),
    ])
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  test('[POSTGRES-45] what runs apart fails at once where its connection breaks before it has begun', async () => {
    const pool = newPool({
      onStatement: (sql) => {
        if (sql.includes('pg_backend_pid')) proxy.mode = 'down'
      },
    })
    const waited = setTimeout(5_000).then(() => 'waits')
    const running = pool.apart(async () => 'ran').catch((error: unknown) => error)
    expect(await Promise.race([running, waited])).toMatchObject({ kind: 'unreachable' })
  })

  test('[POSTGRES-61] lets go of a server that hangs, whatever waits for it', async () => {
    await withLimits({ unansweredMsWhileClosing: 300 }, async () => {
      const pool = newPool({ size: 4 })
      const outcome = (work: Promise<unknown>) =>
        work.then(
          () => 'answered',
          ({ kind }) => kind,
        )
      const { connection, giveBack } = await pool.lendForLong('a')
      const isShared = async () => {
        const loan = await pool.lendForShort()
        loan.giveBack()
        return loan.connection.isShared
      }
      await expect.poll(isShared).toBe(true)
      const short = await pool.lendForShort()
      expect(short.connection.isShared).toBe(true)
      const apart = Promise.withResolvers<void>()
      const waiting = [
        outcome(using(pool, (one) => one.all('select pg_sleep(30)', []))),
        outcome(connection.all('select pg_sleep(30)', []).finally(giveBack)),
        outcome(short.connection.all('select pg_sleep(30)', []).finally(short.giveBack)),
        outcome(
          pool.apart((one) => {
            apart.resolve()
            return one.all('select pg_sleep(30)', [])
          }),
        ),
      ]
      await apart.promise
      await using(pool, async () => {
        proxy.mode = 'silent'
      })
      const startedMs = performance.now()
      await pool.interrupt()
      expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'unavailable'))
      await expect(pool.lend()).rejects.toMatchObject({ kind: 'unavailable' })
      await pool.close()
      expect(performance.now() - startedMs).toBeLessThan(5_000)
      pools.splice(0)
    })
  })

  test('[POSTGRES-61] waits for whoever gets an answer', async () => {
    await withLimits({ unansweredMsWhileClosing: 1_000 }, async () => {
      const pool = newPool()
      const slept = using(pool, (one) => one.all('select pg_sleep(0.5)', []))
      await pool.interrupt()
      await slept
      expect(await processId(pool)).toBeGreaterThan(0)
    })
  })

  test('reads numbers, truth values and JSON as every storage does', async () => {
    const sql = `select 9007199254740991::bigint, 0.1::float8, 1e308::float8, true, '{"b": [1]}'::jsonb, count(*), null`
    const rows = await using(newPool(), (connection) => connection.rows(sql, []))
    expect(rows).toEqual([[9007199254740991, 0.1, 1e308, true, '{"b": [1]}', 1, null]])
  })

  test('[POSTGRES-30] takes a connection from who gets no answer while others wait for one', async () => {
    await withLimits({ unansweredMsWhileOthersWait: 300 }, async () => {
      const pool = newPool({ size: 3 })
      const sleeping = (caller: string) => {
        const slept = pool.lend(caller).then(({ connection, giveBack }) =>
          connection
            .all('select pg_sleep(20)', [])
            .finally(giveBack)
            .then(
              () => 'slept',
              ({ kind }) => kind,
            ),
        )
        return slept
      }
      const sleepers = ['ada', 'bob', 'eve'].map(sleeping)
      await setTimeout(600)
      // Nobody is disturbed as long as nobody waits.
      expect(await Promise.race([...sleepers, 'all asleep'])).toBe('all asleep')
      const { connection, giveBack } = await pool.lend('dan')
      expect(await connection.all('select 1 as one', [])).toEqual([{ one: 1 }])
      giveBack()
      expect(await Promise.race(sleepers)).toBe('unavailable')
      const others = await Promise.all(['x', 'y', 'z'].map((caller) => pool.lend(caller)))
      for (const loan of others) loan.giveBack()
      expect(await Promise.all(sleepers)).toEqual(['unavailable', 'unavailable', 'unavailable'])
    })
  })

  test('[POSTGRES-30] takes none from long reads', async () => {
    await withLimits({ unansweredMsWhileOthersWait: 100 }, async () => {
      const pool = newPool({ size: 2 })
      const long = await pool.lendForLong('ada')
      const read = long.connection.all('select pg_sleep(2), 1 as one', [])
      const short = await pool.lend('bob')
      const sleeping = short.connection.all('select pg_sleep(20)', []).finally(short.giveBack)
      const failing = expect(sleeping).rejects.toMatchObject({ kind: 'unavailable' })
      const others = await pool.lend('eve')
      others.giveBack()
      await failing
      expect((await read)[0]?.one).toBe(1)
      long.giveBack()
    })
  })
  test('[POSTGRES-170] a record whose connection was taken is not kept later, though its commit was sent', async () => {
    await withLimits({ unansweredMsWhileOthersWait: 300 }, async () => {
      const pool = newPool({ size: 2 })
      const table = `taken_${Date.now()}`
      const other = newPool()
      await using(other, (one) => one.define(`create table ${table} (name text)`))
      const storing = using(pool, async (one) => {
        const beginning = one.begin('read committed')
        await one.run(`insert into ${table} select 'late' from pg_sleep(1)`, [], 'last')
        await Promise.all([beginning, one.commit()])
      })
      const refused = expect(storing).rejects.toMatchObject({ kind: 'unavailable' })
      const loan = await pool.lend('bob')
      const waiting = pool.lend('eve').then(({ giveBack }) => giveBack())
      await refused
      await waiting
      loan.giveBack()
      await setTimeout(1_500)
      expect(await using(other, (one) => one.all(`select name from ${table}`, []))).toEqual([])
      await using(other, (one) => one.define(`drop table ${table}`))
    })
  })
})

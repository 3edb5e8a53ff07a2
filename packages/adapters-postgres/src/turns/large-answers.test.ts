import type { SqlConnection } from '@gateleg/sql/core/connection'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import { ConnectionPool } from '../pool/connection-pool.ts'
import { PostgresTransactions } from '../postgres-store.ts'
import { nameLocks } from '../writing/name-locks.ts'
import { FairPlaces } from './fair-places.ts'
import { AnswerIsLarge, LargeAnswers } from './large-answers.ts'

const large = { largeAnswerBytes: 1_000, largeAnswerBytesPerMs: 100 }

describe('large answers', () => {
  const newAnswers = (waitMsMax = 1_000) => {
    const tooLate = () => new Error('too late')
    return new LargeAnswers(new FairPlaces({ size: 1, ofOneCaller: 1, waitMsMax, tooLate }))
  }

  test('[POSTGRES-32] take turns once the statement was seen to have one', () =>
    withLimits(large, async () => {
      const answers = newAnswers()
      expect(answers.takesTurn('read')).toBe(false)
      answers.note('read', 999)
      expect(answers.takesTurn('read')).toBe(false)
      answers.note('read', 1_000)
      expect(answers.takesTurn('read')).toBe(true)
      expect(answers.takesTurn('other')).toBe(false)
      answers.note('read', 999)
      expect(answers.takesTurn('read')).toBe(false)
    }))

  test('[POSTGRES-32] are waited for by callers in turn', async () => {
    const answers = newAnswers()
    const first = await answers.enter('ada')
    const order: string[] = []
    const others = ['ada', 'ada', 'bob'].map(async (caller) => {
      const turn = await answers.enter(caller)
      order.push(caller)
      turn?.end()
    })
    expect(answers.tryEnter('eve')).toBeUndefined()
    first?.end()
    first?.end()
    await Promise.all(others)
    expect(order).toEqual(['ada', 'bob', 'ada'])
  })

  test('[POSTGRES-32] are waited for no longer than a while', async () => {
    const answers = newAnswers(20)
    const turn = await answers.enter('ada')
    turn?.begin()
    expect(await answers.enter('bob')).toBeUndefined()
    turn?.end()
    expect(await answers.enter('bob')).toBeDefined()
  })

  test('[POSTGRES-32] lose the turn in which they are not asked for soon', async () => {
    const answers = newAnswers()
    const turn = await answers.enter('ada')
    expect(answers.tryEnter('bob')).toBeUndefined()
    await expect.poll(() => answers.tryEnter('bob')).toBeDefined()
    turn?.end()
    expect(answers.tryEnter('ada')).toBeUndefined()
  })

  test('[POSTGRES-32] take no turns where the statement takes long for what it answers', () =>
    withLimits(large, () => {
      const answers = newAnswers()
      answers.note('read', 1_000)
      for (let times = 0; times < 3; times++) {
        expect(answers.takesTurn('read')).toBe(true)
        answers.note('read', 1_000, 11)
      }
      expect(answers.takesTurn('read')).toBe(false)
      // Seen to be fast once, it was slow for another reason.
      answers.note('read', 1_000, 10)
      expect(answers.takesTurn('read')).toBe(true)
      return Promise.resolve()
    }))

  test('[POSTGRES-32] of statements that are not kept are nothing to go by', () =>
    withLimits(large, () => {
      const answers = newAnswers()
      answers.note('', 1_000)
      expect(answers.takesTurn('')).toBe(false)
      return Promise.resolve()
    }))
})

describe.runIf(isOn('postgres'))('large answers of PostgreSQL', () => {
  let pool: ConnectionPool
  let transactions: PostgresTransactions
  let sent: string[]

  beforeEach(() => {
    sent = []
    const onStatement = (sql: string) => void sent.push(sql)
    pool = new ConnectionPool({ connectionString: testConnectionString(), size: 10, onStatement })
    transactions = new PostgresTransactions(pool, nameLocks('gateleg'))
  })
  afterEach(() => transactions.close())

  /** When the server began with a large answer, and when it had it, in seconds. */
  const statement = `select extract(epoch from statement_timestamp())::float8 as began,
    extract(epoch from clock_timestamp())::float8 as ended, repeat('x', 2000) as text
    from pg_sleep($1::float8)`
  const ask = async (connection: SqlConnection, seconds = 0.03) =>
    (await connection.all(statement, [seconds]))[0] as { began: number; ended: number }
  const kinds = {
    'in a snapshot': { caller: 'user:ada' },
    'by itself': { caller: 'user:ada', needsNoSnapshot: true },
  }
  /** How many of them were made while another one was. */
  const overlaps = (answers: readonly { began: number; ended: number }[]) => {
    const sorted = answers.toSorted((one, other) => one.began - other.began)
    return sorted.filter(({ began }, index) => began < (sorted[index - 1]?.ended ?? 0)).length
  }

  test.each(Object.entries(kinds))(
    '[POSTGRES-32] are made one after another where each is read %s',
    (_how, options) =>
      withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
        await transactions.read(ask, options)
        const reads = Array.from({ length: 5 }, () => transactions.read(ask, options))
        expect(overlaps(await Promise.all(reads))).toBe(0)
      }),
  )

  test('[POSTGRES-33] are asked for by no statement that nobody waits for', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const options = kinds['in a snapshot']
      await transactions.read(ask, options)
      let ahead: Promise<unknown> | undefined
      // So long that others ask meanwhile, however busy the machine is.
      const reading = transactions.read((connection) => ask(connection, 1), options)
      await transactions.read(async (connection) => {
        await connection.all('select 1', [])
        ahead = ask(connection)
        ahead.catch(() => {})
      }, options)
      await expect(ahead).rejects.toThrow(AnswerIsLarge)
      await reading
      expect(sent.filter((sql) => sql === statement)).toHaveLength(2)
    }))

  test('[POSTGRES-33] have nothing asked twice while nobody else asks for one', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const read = async (connection: SqlConnection) => {
        await connection.all('select 2 as before', [])
        await ask(connection)
      }
      const options = kinds['in a snapshot']
      for (let times = 0; times < 3; times++) await transactions.read(read, options)
      expect(sent.filter((sql) => sql === 'select 2 as before')).toHaveLength(3)
    }))

  test('[POSTGRES-33] hold up no change of the table that they are read from', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const options = kinds['in a snapshot']
      const name = `large_${process.pid}`
      const change = (sql: string) => transactions.write((one) => one.define(sql))
      await change(`create table ${name} as select repeat('x', 2000) as text`)
      try {
        const read = async (connection: SqlConnection) => {
          await connection.all(`select count(*) from ${name}`, [])
          await connection.all(`select text, pg_sleep(0.02) from ${name}`, [])
        }
        await transactions.read(read, options)
        const startedMs = performance.now()
        const readers = Array.from({ length: 3 }, async () => {
          while (performance.now() - startedMs < 1_000) await transactions.read(read, options)
        })
        let longestMs = 0
        for (let n = 0; n < 8; n++) {
          const beganMs = performance.now()
          await change(`alter table ${name} add column c${n} text`)
          longestMs = Math.max(longestMs, performance.now() - beganMs)
        }
        await Promise.all(readers)
        // Else one of them waits until PostgreSQL gives up the lock, after five seconds.
        expect(longestMs).toBeLessThan(4_000)
      } finally {
        await change(`drop table ${name}`)
      }
    }))

  test('[POSTGRES-32] are read beside one that takes its time, by whoever has waited for that', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const slowly = 'select repeat($1, 2000) as text from pg_sleep(2)'
      const askSlowly = (connection: SqlConnection) => connection.all(slowly, ['x'])
      const options = kinds['in a snapshot']
      await transactions.read(ask, options)
      await transactions.read(askSlowly, options)
      let isOver = false
      const slow = transactions.read(askSlowly, options).then(() => {
        isOver = true
      })
      await transactions.read(ask, { caller: 'user:bob' })
      expect(isOver).toBe(false)
      await slow
    }))

  test('[POSTGRES-32] are waited for by no write: others may wait for what it holds', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const options = kinds['in a snapshot']
      await transactions.read(ask, options)
      const reading = Array.from({ length: 4 }, () => transactions.read(ask, options))
      const writing = transactions.write(ask, options)
      const [written, ...read] = await Promise.all([writing, ...reading])
      expect(overlaps(read)).toBe(0)
      expect(overlaps([written, ...read])).toBeGreaterThan(0)
    }))
})

import type { SqlConnection } from '@gateleg/sql/core/connection'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { ConnectionPool } from './connection-pool.ts'
import { FairPlaces } from './fair-places.ts'
import { LargeAnswers } from './large-answers.ts'
import { nameLocks } from './name-locks.ts'
import { PostgresTransactions } from './postgres-store.ts'

const large = { largeAnswerBytes: 1_000, largeAnswerBytesPerMs: 100 }

describe('large answers', () => {
  const newAnswers = (waitMsMax = 1_000) => {
    const tooLate = () => new Error('too late')
    return new LargeAnswers(new FairPlaces({ size: 1, ofOneCaller: 1, waitMsMax, tooLate }))
  }

  test('[POSTGRES-32] wait for their turns once the statement was seen to have one', () =>
    withLimits(large, async () => {
      const answers = newAnswers()
      expect(answers.enter('read', 'ada')).toBeUndefined()
      answers.note('read', 999)
      expect(answers.enter('read', 'ada')).toBeUndefined()
      answers.note('read', 1_000)
      await answers.enter('read', 'ada')
      const order: string[] = []
      const others = ['ada', 'ada', 'bob'].map(async (caller) => {
        await answers.enter('read', caller)
        order.push(caller)
        answers.leave(caller)
      })
      expect(answers.enter('other', 'ada')).toBeUndefined()
      answers.leave('ada')
      await Promise.all(others)
      expect(order).toEqual(['ada', 'bob', 'ada'])
      answers.note('read', 999)
      expect(answers.enter('read', 'ada')).toBeUndefined()
    }))

  test('[POSTGRES-32] go on without a turn once they have waited for a while', () =>
    withLimits(large, async () => {
      const answers = newAnswers(20)
      answers.note('read', 1_000)
      expect(await answers.enter('read', 'ada')).toBe(true)
      expect(await answers.enter('read', 'bob')).toBe(false)
      answers.leave('ada')
      expect(await answers.enter('read', 'bob')).toBe(true)
    }))

  test('[POSTGRES-32] do so no more where the statement takes long for what it answers', () =>
    withLimits(large, async () => {
      const answers = newAnswers()
      const tryTurn = async (ms: number) => {
        const turn = answers.enter('read', 'ada')
        if (!turn) return false
        await turn
        answers.leave('ada')
        answers.note('read', 1_000, ms)
        return true
      }
      answers.note('read', 1_000)
      for (const ms of [11, 11, 11]) expect(await tryTurn(ms)).toBe(true)
      expect(await tryTurn(11)).toBe(false)
      // Seen to be fast once, it was slow for another reason.
      answers.note('read', 1_000, 10)
      for (const ms of [11, 11, 11, 11]) expect(await tryTurn(ms)).toBe(true)
    }))

  test('[POSTGRES-32] of statements that are not kept are nothing to go by', () =>
    withLimits(large, async () => {
      const answers = newAnswers()
      answers.note('', 1_000)
      expect(answers.enter('', 'ada')).toBeUndefined()
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
    from pg_sleep(0.03)`
  const ask = async (connection: SqlConnection) =>
    (await connection.all(statement, []))[0] as { began: number; ended: number }
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

  test('[POSTGRES-33] are not asked for any more once the transaction has ended', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const options = kinds['in a snapshot']
      await transactions.read(ask, options)
      const reading = transactions.read(ask, options)
      let ahead: Promise<unknown> | undefined
      await transactions.read(async (connection) => {
        await connection.all('select 1', [])
        ahead = ask(connection)
        ahead.catch(() => {})
      }, options)
      await expect(ahead).rejects.toMatchObject({ kind: 'unavailable' })
      await reading
      expect(sent.filter((sql) => sql === statement)).toHaveLength(2)
    }))

  test('[POSTGRES-32] are read beside one that takes its time, by whoever has waited for that', () =>
    withLimits({ ...large, largeAnswerBytesPerMs: 0 }, async () => {
      const slowly = 'select repeat($1, 2000) as text from pg_sleep(0.8)'
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

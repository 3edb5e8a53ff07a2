import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import type { PostgresConnection } from '../connection/postgres-connection.ts'
import { ConnectionPool } from './connection-pool.ts'

describe.runIf(isOn('postgres'))('transactions whose beginning or end fails', () => {
  const table = `lost_${process.pid}`
  let pool: ConnectionPool
  let other: ConnectionPool

  beforeEach(async () => {
    const newPool = (writesInTransactions: boolean) =>
      new ConnectionPool({
        connectionString: testConnectionString(),
        size: 2,
        writesInTransactions,
      })
    pool = newPool(true)
    other = newPool(false)
    await using((one) => one.define(`create table ${table} (name text)`), other)
  })

  afterEach(async () => {
    await pool.close()
    await using((one) => one.define(`drop table ${table}`), other)
    await other.close()
  })

  async function using<T>(work: (one: PostgresConnection) => Promise<T>, from = pool): Promise<T> {
    const { connection, giveBack } = await from.lend()
    try {
      return await work(connection)
    } finally {
      giveBack()
    }
  }

  /** Inserts a name in a transaction, as a store does. */
  async function insert(
    one: PostgresConnection,
    name: string,
    how: { readonly isLast?: boolean; before?(): Promise<void> } = {},
  ): Promise<void> {
    const beginning = one.begin('read committed read write')
    beginning.catch(() => {})
    try {
      await how.before?.()
      const text = `insert into ${table} values ('${name}')`
      await one.run(text, [], how.isLast ? 'last' : undefined)
      await beginning
      await one.commit()
    } catch (error) {
      await one.rollback().catch(() => {})
      throw error
    }
  }

  /** Has the server know a statement no more, as where something between here and there takes it away. */
  async function forget(one: PostgresConnection, text: string): Promise<void> {
    const known = 'select name from pg_prepared_statements where statement like $1'
    const [found] = await one.all(known, [`${text}%`])
    await one.run(`deallocate "${found?.name}"`, [])
  }

  const names = async () => {
    const rows = await using((one) => one.all(`select name from ${table} order by name`, []), other)
    return rows.map(({ name }) => name)
  }
  const failed = { kind: 'outdated' }

  test.each([false, true])(
    '[POSTGRES-190] a connection is not used again whose commit failed; sent along: %s',
    async (isLast) => {
      const failing = using(async (one) => {
        await insert(one, 'first')
        await insert(one, 'second', { isLast, before: () => forget(one, 'commit') })
      })
      await expect(failing).rejects.toMatchObject(failed)
      await using((one) => insert(one, 'third'))
      expect(await names()).toEqual(['first', 'third'])
    },
  )

  test('[POSTGRES-190] nor is one whose rollback failed', async () => {
    const refused = new Error('refused')
    const refuse = (one: PostgresConnection, before = async () => {}) =>
      insert(one, 'never', { before: () => before().then(() => Promise.reject(refused)) })
    await using(async (one) => {
      await expect(refuse(one)).rejects.toBe(refused)
      await expect(refuse(one, () => forget(one, 'rollback'))).rejects.toBe(refused)
    })
    await using((one) => insert(one, 'first'))
    expect(await names()).toEqual(['first'])
  })

  test('[POSTGRES-191] nothing is kept of one that did not begin', async () => {
    const failing = using(async (one) => {
      await insert(one, 'first')
      await forget(one, 'begin')
      await insert(one, 'second', { before: async () => void (await one.all('select 1', [])) })
    })
    await expect(failing).rejects.toMatchObject(failed)
    await using((one) => insert(one, 'third'))
    expect(await names()).toEqual(['first', 'third'])
  })

  test('[POSTGRES-191] nor where its first statement changes something, sent at once', async () => {
    const failing = using(async (one) => {
      await insert(one, 'first')
      await forget(one, 'begin')
      await insert(one, 'second')
    })
    await expect(failing).rejects.toMatchObject(failed)
    expect(await names()).toEqual(['first'])
  })
})

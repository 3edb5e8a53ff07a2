import { setTimeout } from 'node:timers/promises'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { ConnectionPool } from './pool/connection-pool.ts'
import { PostgresTransactions } from './postgres-store.ts'
import { nameLocks } from './writing/name-locks.ts'

describe.runIf(isOn('postgres'))('a transaction that may do more', () => {
  const table = `more_${process.pid}`
  const insert = `insert into ${table} values ('a')`
  const claim = 'select pg_advisory_xact_lock(240)'
  let pool: ConnectionPool

  beforeEach(async () => {
    pool = new ConnectionPool({ connectionString: testConnectionString(), size: 2 })
    await define(`create table ${table} (name text)`)
  })
  afterEach(async () => {
    await define(`drop table ${table}`)
    await pool.close()
  })

  async function define(sql: string): Promise<void> {
    const { connection, giveBack } = await pool.lend()
    await connection.define(sql).finally(giveBack)
  }

  test.each([
    ['the table', insert, `lock table ${table} in share mode`],
    ['the table to read it', `lock table ${table} in access exclusive mode`, `table ${table}`],
    ['a name', claim, claim],
  ])('[POSTGRES-240] does no more where somebody waits for %s', async (_, held, asked) => {
    const [one, other] = [await pool.lend('one'), await pool.lend('other')]
    const [holder, asker] = [one.connection, other.connection]
    await withLimits({ transactionMsOverNetwork: 60_000 }, async () => {
      await holder.begin('read committed')
      await asker.begin('read committed')
      await holder.rows(held, [])
      expect([holder.mayDoMore(), holder.mayDoMore()]).toEqual([true, true])
      await holder.rows('select 1', [])
      expect(holder.mayDoMore()).toBe(true)
      const asking = asker.rows(asked, [])
      await expect
        .poll(async () => {
          const may = holder.mayDoMore()
          await holder.rows('select 1', [])
          return may
        })
        .toBe(false)
      await holder.commit()
      await asking
      await asker.rollback()
    })
    for (const { giveBack } of [one, other]) giveBack()
  })

  test('[POSTGRES-240] does no more where somebody waits for their turn in the same process', async () => {
    const transactions = new PostgresTransactions(pool, nameLocks(table))
    const seen: (boolean | undefined)[] = []
    const collide = () => {
      let runs = 0
      return transactions.write(async (connection) => {
        if (++runs === 1) throw new SqlFailure('contended', 'as after a conflict', undefined)
        await setTimeout(300)
        seen.push(connection.mayDoMore?.())
      })
    }
    await withLimits({ transactionMsOverNetwork: 60_000 }, () =>
      Promise.all([collide(), collide()]),
    )
    expect(seen).toEqual([false, true])
  })
})

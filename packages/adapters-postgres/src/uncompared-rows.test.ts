import { DomainError } from '@gateleg/domain/errors'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { RefusedWrite } from '@gateleg/sql/core/refuse-as-invalid'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { ConnectionPool } from './pool/connection-pool.ts'
import { PostgresTransactions } from './postgres-store.ts'
import { nameLocks } from './writing/name-locks.ts'

describe.runIf(isOn('postgres'))('work on rows that could not be compared', () => {
  const table = `uncompared_${process.pid}`
  const question = `select id, role from ${table} where id = $1`
  let pool: ConnectionPool
  let client: pg.Client
  let transactions: PostgresTransactions

  beforeEach(async () => {
    const connectionString = testConnectionString()
    client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(`create table ${table} (id text primary key, role text)`)
    await client.query(`insert into ${table} values ('bob', 'viewer')`)
    pool = new ConnectionPool({ connectionString, size: 2, timeouts: { lock: 200 } })
    transactions = new PostgresTransactions(pool, nameLocks('public'))
    for (let times = 0; times < 2; times++) await transactions.write(roleOnceHeld)
  })

  afterEach(async () => {
    await pool.close()
    await client.query('rollback')
    await client.query(`drop table ${table}`)
    await client.end()
  })

  async function roleOnceHeld(connection: SqlConnection): Promise<unknown> {
    const holding = connection.all(`select id from ${table} where id = $1 for share`, ['bob'])
    const [row] = (await connection.allOften?.(question, ['bob'], holding)) ?? []
    return row?.role
  }

  /** Has work write while the row is another one by now that others hold until it is tried the second time. */
  async function writeWhileHeld(work: (role: unknown) => unknown): Promise<unknown> {
    await client.query('begin')
    await client.query(`update ${table} set role = 'editor'`)
    let times = 0
    return transactions.write(async (connection) => {
      const found = await roleOnceHeld(connection)
      // The wait for the row is over by then, or will be for whoever comes next.
      if (++times === 2) await client.query('commit')
      return work(found)
    })
  }

  test('[POSTGRES-262] is refused for none of them, and done again where others held them for too long', async () => {
    const role = await writeWhileHeld((found) => {
      if (found === 'viewer') throw new DomainError('restricted_resource', 'Viewers may not write')
      return found
    })
    expect(role).toBe('editor')
  })

  test('[POSTGRES-264] is done again after such a wait where it asks for nothing more', async () => {
    expect(await writeWhileHeld((found) => found)).toBe('editor')
  })

  test('[POSTGRES-262] is refused for what the storage refused before', async () => {
    const refused = new RefusedWrite('check', 'It is too long')
    const writing = transactions.write(async (connection) => {
      const failing = connection.run(`insert into ${table} values ('bob')`, [])
      failing.catch(() => {})
      await connection.allOften?.(question, ['bob'])
      await failing.catch(() => {
        throw refused
      })
    })
    await expect(writing).rejects.toBe(refused)
  })
})

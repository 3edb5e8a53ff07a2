import type { OpenStorage } from '@gateleg/domain/store'
import { OwnTables } from '@gateleg/sql/core/own-tables'
import { keepKey } from '@gateleg/sql/instance-key'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  giveBackSchema,
  onSchema,
  takeSchema,
  testConnectionString,
} from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { postgresOwnTables } from './own-tables.ts'
import { ConnectionPool } from './pool/connection-pool.ts'

/** Does something after the first query, as another server may. */
class Interrupted extends OwnTables {
  meanwhile: (() => Promise<void>) | undefined

  override async all<Row>(...query: Parameters<OwnTables['all']>): Promise<readonly Row[]> {
    const rows = await super.all<Row>(...query)
    const { meanwhile } = this
    this.meanwhile = undefined
    await meanwhile?.()
    return rows
  }
}

describe.runIf(isOn('postgres'))('the instance key of a database', () => {
  let schema: string
  let other: OpenStorage
  let pool: ConnectionPool

  beforeEach(async () => {
    schema = await takeSchema()
    const connectionString = testConnectionString()
    other = await onSchema(schema, { connectionString }).open({ onCommit: () => {} })
    pool = new ConnectionPool({ connectionString, size: 1 })
  })
  afterEach(async () => {
    await pool.close()
    await other.close()
    giveBackSchema(schema)
  })

  test('[SERVER-12] is that of the server which stores it while another one looks for it', async () => {
    const { connection, giveBack } = await pool.lend()
    const own = new Interrupted(connection, postgresOwnTables(schema))
    own.meanwhile = async () => {
      expect(await other.instanceKey('theirs')).toBe('theirs')
      expect(await other.keyFingerprint('of theirs')).toBe('of theirs')
    }
    expect(await keepKey(own, 'ours').finally(giveBack)).toBe('theirs')
  })
})

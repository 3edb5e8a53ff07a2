import { SqlSession } from '@gateleg/sql/core/session'
import { quote } from '@gateleg/sql/core/statements/quote'
import { postgresDialect } from '../dialect.ts'
import { defaultSchema } from '../own-tables.ts'
import { ConnectionPool } from '../pool/connection-pool.ts'
import {
  hasServers,
  inTransaction,
  type MovingDatabase,
  patientTimeouts,
  requireNoServer,
  requireWorkspace,
  usedByServers,
} from './moving-database.ts'

/**
 * Runs the work in one transaction on a database that no server uses. One that is started meanwhile waits for its key until
 * the work is done. Throws a StorageRefusedError where servers use the database, and for one without a workspace of this
 * version.
 */
export async function aloneOnDatabase<T>(
  { connectionString, metadataSchema = defaultSchema }: MovingDatabase,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const dialect = postgresDialect(metadataSchema)
  const pool = new ConnectionPool({ connectionString, size: 1, timeouts: patientTimeouts })
  try {
    await requireNoServer(pool)
    return await inTransaction(pool, async (connection) => {
      await requireWorkspace(connection, dialect)
      // Every start reads its key in this table: one that has read it is connected, one that is not waits here.
      await connection.define(
        `lock table ${quote(metadataSchema)}.instance in access exclusive mode`,
      )
      if (await hasServers(connection)) throw usedByServers()
      return work(new SqlSession(connection, dialect))
    })
  } finally {
    await pool.close()
  }
}

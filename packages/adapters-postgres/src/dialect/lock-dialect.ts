import { createHash } from 'node:crypto'
import type { LockDialect } from '@gateleg/sql/core/dialect/lock-dialect'
import { sql } from 'kysely'

/** Transactions write at the same time: rows are held one by one. Names are those of one schema's storage. */
export function lockDialect(metadataSchema: string): LockDialect {
  return {
    holdsRows: true,
    clause: (lock, table) =>
      lock === 'none' ? sql`` : sql`for ${sql.raw(lock)} of ${sql.id(table)}`,
    skipLocked: sql`for update skip locked`,
    claim: async (connection, name) => {
      await connection.all('select pg_advisory_xact_lock($1)', [lockNumber(metadataSchema, name)])
    },
    hold: async (connection, name) => {
      const number = lockNumber(metadataSchema, name)
      const [row] = await connection.all('select pg_try_advisory_lock($1) as held', [number])
      return row?.held === true
    },
  }
}

/** Names are locked by a number of 64 bits; two names of one number wait for each other, no more. */
function lockNumber(metadataSchema: string, name: string): string {
  const hash = createHash('sha256').update(`${metadataSchema}\n${name}`).digest()
  return String(hash.readBigInt64BE())
}

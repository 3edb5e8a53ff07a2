import { createHash } from 'node:crypto'
import type { NameLocks } from '@gateleg/sql/core/dialect/lock-dialect'

/** Locks names, which are those of one schema's storage. */
export function nameLocks(metadataSchema: string): NameLocks {
  return {
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

import type { LockDialect } from '@gateleg/sql/core/dialect/lock-dialect'
import { sql } from 'kysely'
import { nameLocks } from '../writing/name-locks.ts'

/** Transactions write at the same time: rows are held one by one. */
export function lockDialect(metadataSchema: string): LockDialect {
  return {
    ...nameLocks(metadataSchema),
    holdsRows: true,
    clause: (lock, table) =>
      lock === 'none' ? sql`` : sql`for ${sql.raw(lock)} of ${sql.id(table)}`,
    skipLocked: sql`for update skip locked`,
  }
}

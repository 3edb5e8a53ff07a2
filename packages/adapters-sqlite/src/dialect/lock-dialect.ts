import type { LockDialect } from '@gateleg/sql/core/dialect/lock-dialect'
import { sql } from 'kysely'

const nothing = sql``

/** One transaction writes at a time: there is nobody to keep out. */
export const lockDialect: LockDialect = {
  holdsRows: false,
  clause: () => nothing,
  skipLocked: nothing,
  claim: async () => {},
  hold: async () => true,
}

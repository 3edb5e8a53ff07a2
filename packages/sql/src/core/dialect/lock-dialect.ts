import type { Lock } from '@gateleg/domain/access/lock'
import type { RawBuilder } from 'kysely'
import type { SqlConnection } from '../connection.ts'

/** How an engine keeps transactions out of each other's way. */
export interface LockDialect {
  /** Whether rows have to be held; not where one transaction writes at a time. */
  readonly holdsRows: boolean
  /** What ends a SELECT that must hold the rows of one table; empty where rows aren't held. */
  clause(lock: Lock, table: string): RawBuilder<unknown>
  /** What ends a SELECT that holds its rows for update and passes over those that others hold. */
  readonly skipLocked: RawBuilder<unknown>
  /** Waits until no other transaction holds the name, and holds it until this one ends. */
  claim(connection: SqlConnection, name: string): Promise<void>
  /** Holds the name until the connection is closed, or until the end of the transaction; false where another one has it. */
  hold(connection: SqlConnection, name: string): Promise<boolean>
}

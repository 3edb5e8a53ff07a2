import type { Lock } from '@gateleg/domain/access/lock'
import type { RawBuilder } from 'kysely'
import type { SqlConnection } from '../connection.ts'

/** How an engine locks names. */
export interface NameLocks {
  /** Waits until no other transaction has locked the name, and locks it until this transaction ends. */
  claim(connection: SqlConnection, name: string): Promise<void>
  /**
   * Locks the name until the connection is closed, or until the end of the transaction; false where another one has
   * locked it.
   */
  hold(connection: SqlConnection, name: string): Promise<boolean>
}

/** How an engine locks rows and names. */
export interface LockDialect extends NameLocks {
  /** Whether rows have to be locked; false where only one transaction writes at a time. */
  readonly holdsRows: boolean
  /** The clause at the end of a SELECT that must lock the rows of one table; empty where rows aren't locked. */
  clause(lock: Lock, table: string): RawBuilder<unknown>
  /** The clause at the end of a SELECT that locks its rows for update and skips those that others have locked. */
  readonly skipLocked: RawBuilder<unknown>
}

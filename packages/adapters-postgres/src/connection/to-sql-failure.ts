import { SqlFailure, type SqlFailureKind } from '@gateleg/sql/core/connection'
import pg from 'pg'

/** What a write is told by a server that was the primary, or isn't it yet. */
const readOnly = '25006'

/** By which a standby refuses a transaction that may write, as a value of a setting that it doesn't support. */
const refusesWriting = 'call_bool_check_hook'

/** By SQLSTATE, or by the class that its first two characters name. */
const kinds: Readonly<Record<string, SqlFailureKind>> = {
  23505: 'unique',
  23502: 'notNull',
  23503: 'foreignKey',
  23514: 'check',
  // A row, an index entry or a table beyond what PostgreSQL can hold.
  54: 'tooLarge',
  53100: 'full',
  // Serialization failure, deadlock, lock timeout.
  40001: 'contended',
  '40P01': 'contended',
  '55P03': 'contended',
  // A column or table that is gone, or a column that has another type; a kept plan whose result has changed, a kept statement
  // that is gone.
  42703: 'outdated',
  '42P01': 'outdated',
  42883: 'outdated',
  42804: 'outdated',
  42846: 'outdated',
  '0A000': 'outdated',
  26000: 'outdated',
  // Connection failures, shutdown, a crash, start.
  '08': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  // Too few resources, timeouts, a standby in place of the primary.
  53: 'unavailable',
  57: 'unavailable',
  '25P03': 'unavailable',
  '25P04': 'unavailable',
  [readOnly]: 'unavailable',
  // An error of the disk, damaged data or a damaged index.
  58: 'unreadable',
  XX001: 'unreadable',
  XX002: 'unreadable',
}

/** The state of what PostgreSQL and its extensions have no state for. */
const internal = 'XX000'

/** Functions of Citus that fail without a state of their own when another machine is lost in the middle of a statement. */
const losingMachines = new Set([
  'ReportResultError',
  'MarkRemoteTransactionFailed',
  'CheckRemoteTransactionsHealth',
])

/**
 * Converts an error of the driver to an SqlFailure; returns our own mistakes unchanged. It decides by SQLSTATE, and where
 * there is none by the function that failed, never by names or texts; an error without either comes from the socket.
 */
export function toSqlFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) return error
  return new SqlFailure(kindOf(error), error.message, error)
}

function kindOf(error: Error): SqlFailureKind {
  if (!(error instanceof pg.DatabaseError)) return 'unreachable'
  const { code = '', routine = '' } = error
  if (routine === refusesWriting) return 'unavailable'
  if (code === internal && losingMachines.has(routine)) return 'unavailable'
  return kinds[code] ?? kinds[code.slice(0, 2)] ?? 'other'
}

/** Whether the statement was refused because an earlier one of its transaction had failed, which may be its beginning. */
export function isAfterFailure(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '25P02' || error.code === readOnly
}

/** Whether the connection can't be used after the error: it is broken, or leads to the wrong server. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true
  const isReadOnly = error.code === readOnly || error.routine === refusesWriting
  return error.severity === 'FATAL' || isReadOnly
}

import { SqlFailure } from '@gateleg/sql/core/connection'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { endsConnection, toSqlFailure } from './to-sql-failure.ts'

function databaseError(code: string, more: Partial<pg.DatabaseError> = {}): pg.DatabaseError {
  const error = new pg.DatabaseError('duplicate key value violates t1_pkey_102008', 1, 'error')
  return Object.assign(error, { code, severity: 'ERROR', ...more })
}

describe('failures', () => {
  test.each([
    ['23505', 'unique'],
    ['23502', 'notNull'],
    ['23503', 'foreignKey'],
    ['23514', 'check'],
    ['54000', 'tooLarge'],
    ['54011', 'tooLarge'],
    ['53100', 'full'],
    ['53300', 'unavailable'],
    ['40001', 'contended'],
    ['40P01', 'contended'],
    ['55P03', 'contended'],
    ['42703', 'outdated'],
    ['42P01', 'outdated'],
    ['42883', 'outdated'],
    ['42804', 'outdated'],
    ['42846', 'outdated'],
    ['0A000', 'outdated'],
    ['26000', 'outdated'],
    ['08006', 'unreachable'],
    ['57P01', 'unreachable'],
    ['57P03', 'unreachable'],
    ['57014', 'unavailable'],
    ['25P03', 'unavailable'],
    ['25P04', 'unavailable'],
    ['25006', 'unavailable'],
    ['42601', 'other'],
    ['XX000', 'other'],
    ['40002', 'other'],
  ])('[POSTGRES-9] of SQLSTATE %s are %s', (code, kind) => {
    const error = databaseError(code)
    expect(toSqlFailure(error)).toMatchObject({ kind, cause: error })
  })

  test.each([
    ['ReportResultError', 'unavailable'],
    ['MarkRemoteTransactionFailed', 'unavailable'],
    ['CheckRemoteTransactionsHealth', 'unavailable'],
    ['ReportCopyError', 'other'],
    ['elog_internal', 'other'],
  ])('[POSTGRES-9] without a state of their own, of %s, are %s', (routine, kind) => {
    expect(toSqlFailure(databaseError('XX000', { routine }))).toMatchObject({ kind })
    expect(toSqlFailure(databaseError('23505', { routine }))).toMatchObject({ kind: 'unique' })
  })

  test('[POSTGRES-9] of the socket are of no use to ask again on', () => {
    const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    expect(toSqlFailure(error)).toMatchObject({ kind: 'unreachable' })
    expect(endsConnection(error)).toBe(true)
    expect(endsConnection(databaseError('57P01', { severity: 'FATAL' }))).toBe(true)
    expect(endsConnection(databaseError('25006'))).toBe(true)
    expect(endsConnection(databaseError('40001'))).toBe(false)
  })

  test('[POSTGRES-263] of a standby that is to write are those of a server that is the wrong one by now', () => {
    const error = databaseError('0A000', { routine: 'call_bool_check_hook' })
    expect(toSqlFailure(error)).toMatchObject({ kind: 'unavailable' })
    expect(endsConnection(error)).toBe(true)
  })

  test('[POSTGRES-9] of our own stay what they are', () => {
    const error = new TypeError('not a function')
    expect(toSqlFailure(error)).toBe(error)
    expect(toSqlFailure(error)).not.toBeInstanceOf(SqlFailure)
  })
})

import Database from 'better-sqlite3'
import { SqliteConnection, toSqlFailure } from './sqlite-connection.ts'

/** Milliseconds to wait for another process that holds the file. */
export const busyTimeoutMs = 5_000

/** A connection that can only read; fails with SqlFailure where the file is not there any more. */
export function openReader(file: string): SqliteConnection {
  try {
    return new SqliteConnection(new Database(file, { readonly: true, timeout: busyTimeoutMs }))
  } catch (error) {
    throw toSqlFailure(error)
  }
}

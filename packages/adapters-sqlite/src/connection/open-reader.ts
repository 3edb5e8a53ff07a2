import { WorkIsLong } from '@gateleg/sql/core/connection'
import Database from 'better-sqlite3'
import {
  SqliteConnection,
  type SqliteConnectionOptions,
  toSqlFailure,
} from './sqlite-connection.ts'

/** Milliseconds to wait for another process that holds the file. */
export const busyTimeoutMs = 5_000

/** KiB of pages that a connection remembers which goes through a table once: none of them is read again. */
const pagesOfLongReadKib = 2_048

/** Opens a connection that can only read; fails with SqlFailure where the file has disappeared. */
export function openReader(
  file: string,
  {
    isLong = false,
    ...options
  }: { isLong?: boolean } & Pick<SqliteConnectionOptions, 'kept' | 'isStopped'> = {},
): SqliteConnection {
  try {
    const database = new Database(file, { readonly: true, timeout: busyTimeoutMs })
    if (isLong) database.pragma(`cache_size = -${pagesOfLongReadKib}`)
    const connection = new SqliteConnection(database, options)
    if (!isLong) {
      connection.becomeLong = () => {
        throw new WorkIsLong()
      }
    }
    return connection
  } catch (error) {
    throw toSqlFailure(error)
  }
}

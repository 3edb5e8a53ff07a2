import Database from 'better-sqlite3'
import type { KeptRowsOfFile } from './kept-rows.ts'
import { busyTimeoutMs } from './open-reader.ts'
import { SqliteConnection, toSqlFailure } from './sqlite-connection.ts'

/** Opens another connection that writes to an existing file; fails with SqlFailure where the file has disappeared. */
export function openWriter(file: string, kept?: KeptRowsOfFile): SqliteConnection {
  try {
    const database = new Database(file, { timeout: busyTimeoutMs, fileMustExist: true })
    database.pragma('foreign_keys = ON')
    makeDurable(database)
    return new SqliteConnection(database, { kept })
  } catch (error) {
    throw toSqlFailure(error)
  }
}

/** From here on, a commit that was answered is on disk. */
export function makeDurable(database: Database.Database): void {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
}

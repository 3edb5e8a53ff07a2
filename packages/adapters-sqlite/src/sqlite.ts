import type { Storage, StorageDependencies } from '@gateleg/domain/store'
import { migrate, migrations } from '@gateleg/sql/migrations/migrate'
import type { Migration } from '@gateleg/sql/migrations/migration'
import { SqlSession } from '@gateleg/sql/session'
import Database from 'better-sqlite3'
import { sqliteDialect } from './dialect.ts'
import { ReaderPool } from './reader-pool.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteStore } from './sqlite-store.ts'

export interface SqliteOptions {
  /** The path of the file, made when it is not there; `:memory:` for a database that lives in the process. */
  readonly file: string
  /** Connections for snapshots; more than the processor's cores rarely help. */
  readonly readers?: number
}

/** Milliseconds to wait for another process that holds the file. */
const busyTimeoutMs = 5_000

/** Gateleg's storage on one SQLite file. One process writes to it at a time. */
export function sqlite({ file, readers = 4 }: SqliteOptions): Storage {
  return {
    name: 'sqlite',
    open: (dependencies) => openSqlite(file, readers, dependencies, migrations),
  }
}

/** Opens a file with the given migrations. One that can't be migrated stays as it is, byte for byte. */
export async function openSqlite(
  file: string,
  readers: number,
  { onCommit }: StorageDependencies,
  known: readonly Migration[],
) {
  const database = new Database(file, { timeout: busyTimeoutMs })
  const writer = new SqliteConnection(database)
  try {
    database.pragma('foreign_keys = ON')
    writer.control('BEGIN IMMEDIATE')
    await migrate(new SqlSession(writer, sqliteDialect), known)
    writer.control('COMMIT')
    makeDurable(database)
  } catch (error) {
    writer.close()
    throw error
  }
  const pool = file === ':memory:' ? undefined : new ReaderPool(openReaders(file, readers))
  return new SqliteStore(writer, pool, onCommit)
}

/** From here on, a commit that was answered is on disk. */
export function makeDurable(database: Database.Database): void {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
}

function openReaders(file: string, count: number): SqliteConnection[] {
  return Array.from({ length: count }, () => {
    const database = new Database(file, { readonly: true, timeout: busyTimeoutMs })
    return new SqliteConnection(database)
  })
}

import type { StorageDependencies } from '@gateleg/domain/store'
import { OwnTables } from '@gateleg/sql/core/own-tables'
import { migrate } from '@gateleg/sql/migrations/migrate'
import type { WrittenMigrations } from '@gateleg/sql/migrations/written-migrations'
import Database from 'better-sqlite3'
import type { besideWriter } from './beside-writer.ts'
import { KeptRowsOfFile } from './connection/kept-rows.ts'
import { busyTimeoutMs } from './connection/open-reader.ts'
import { makeDurable } from './connection/open-writer.ts'
import { SqliteConnection } from './connection/sqlite-connection.ts'
import { holdFile, makePrivateFile } from './file/file-lock.ts'
import { explainingPlace } from './file/file-unusable-error.ts'
import { freeJobs } from './file/free-jobs.ts'
import { removeCopies, upgradeFile } from './file/upgrade-file.ts'
import { sqliteOwnTables } from './own-tables.ts'
import { sqliteMigrations } from './sqlite-migrations.ts'
import { SqliteStore } from './sqlite-store.ts'

/**
 * Opens a file with the given migrations. A file that can't be migrated stays as it is, byte for byte; when a file is
 * migrated, a copy of it is kept beside it until the program has started.
 */
export async function openSqlite(
  file: string,
  readers: number,
  dependencies: StorageDependencies,
  known: WrittenMigrations = sqliteMigrations,
) {
  if (file === inMemory) {
    return openHeld({ file, readers, letGo: () => {} }, dependencies, known)
  }
  return explainingPlace(file, async () => {
    const letGo = holdFile(file)
    try {
      await upgradeFile(file, known)
      makePrivateFile(file)
      return await openHeld({ file, readers, letGo }, dependencies, known)
    } catch (error) {
      letGo()
      throw error
    }
  })
}

const inMemory = ':memory:'

/** A file that nobody else has, in this process either, and what ends that. */
interface HeldFile {
  readonly file: string
  readonly readers: number
  readonly letGo: () => void
}

async function openHeld(
  { file, readers, letGo }: HeldFile,
  { onCommit, onFailure = () => {} }: StorageDependencies,
  known: WrittenMigrations,
) {
  const database = new Database(file, { timeout: busyTimeoutMs })
  const kept = new KeptRowsOfFile()
  const writer = new SqliteConnection(database, { kept })
  try {
    database.pragma('foreign_keys = ON')
    writer.beginWriting()
    await migrate(new OwnTables(writer, sqliteOwnTables), known)
    freeJobs(database)
    writer.commit()
    makeDurable(database)
    const beside =
      file === inMemory ? undefined : await openBeside({ file, readers, kept }, onFailure)
    return new SqliteStore({
      writer,
      kept,
      beside,
      onCommit,
      letGo,
      onStarted: () => {
        if (!beside) return
        if (!beside.log.isLarge) moveLogOver(database)
        removeCopies(file)
      },
    })
  } catch (error) {
    writer.close()
    throw error
  }
}

/**
 * Has the file hold what the start wrote to the log beside it, above all whose key the data are sealed with: a
 * copy of the file by itself is then known to lack its key, in place of passing for an empty workspace.
 */
function moveLogOver(database: Database.Database): void {
  try {
    // The kind that waits for nobody who reads the file meanwhile.
    database.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // Such as a full disk: SQLite moves it over later by itself, and reading goes on until then.
  }
}

/** Loaded where there is a file: a database in memory has neither readers nor threads. */
async function openBeside(...given: Parameters<typeof besideWriter>) {
  const { besideWriter } = await import('./beside-writer.ts')
  return besideWriter(...given)
}

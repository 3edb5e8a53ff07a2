import type { StorageDependencies } from '@gateleg/domain/store'
import { SqlSession } from '@gateleg/sql/core/session'
import { migrate } from '@gateleg/sql/migrations/migrate'
import type { Migration } from '@gateleg/sql/migrations/migration'
import Database from 'better-sqlite3'
import { sqliteDialect } from './dialect.ts'
import { FileHealth } from './file-health.ts'
import { holdFile, makePrivateFile } from './file-lock.ts'
import { explainingPlace } from './file-unusable-error.ts'
import { freeJobs } from './free-jobs.ts'
import { KeptRowsOfFile } from './kept-rows.ts'
import { LongReads } from './long-reads.ts'
import { LongWrites } from './long-writes.ts'
import { busyTimeoutMs, openReader } from './open-reader.ts'
import { makeDurable, openWriter } from './open-writer.ts'
import { ReaderPool } from './reader-pool.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sqliteMigrations } from './sqlite-migrations.ts'
import { SqliteStore, type SqliteStoreParts } from './sqlite-store.ts'
import { removeCopies, upgradeFile } from './upgrade-file.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

/**
 * Opens a file with the given migrations. A file that can't be migrated stays as it is, byte for byte; when a file is
 * migrated, a copy of it is kept beside it until the program has started.
 */
export async function openSqlite(
  file: string,
  readers: number,
  dependencies: StorageDependencies,
  known: readonly Migration[] = sqliteMigrations,
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
  known: readonly Migration[],
) {
  const database = new Database(file, { timeout: busyTimeoutMs })
  const kept = new KeptRowsOfFile()
  const writer = new SqliteConnection(database, { kept })
  try {
    database.pragma('foreign_keys = ON')
    writer.beginWriting()
    await migrate(new SqlSession(writer, sqliteDialect), known)
    freeJobs(database)
    writer.commit()
    makeDurable(database)
  } catch (error) {
    writer.close()
    throw error
  }
  const beside = file === inMemory ? undefined : besideWriter({ file, readers, kept }, onFailure)
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

/** What there is of a file beside the connection that writes. */
function besideWriter(
  { file, readers, kept }: Omit<HeldFile, 'letGo'> & { readonly kept: KeptRowsOfFile },
  onDamage: (error: unknown) => void,
): NonNullable<SqliteStoreParts['beside']> {
  const longWrites = new LongWrites(file, kept)
  const log = new WriteAheadLog(file, {
    move: () => longWrites.moveLog(),
    empty: (patienceMs) => longWrites.moveLog(patienceMs),
  })
  const longReads = new LongReads(file, log)
  const findDamage = () => longReads.check()
  return {
    reopenWriter: () => openWriter(file, kept),
    longWrites,
    readers: new ReaderPool(() => openReader(file, { kept }), readers),
    longReads,
    log,
    health: new FileHealth({ file, findDamage, onDamage, now: () => performance.now() }),
  }
}

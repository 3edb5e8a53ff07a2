import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OwnTables } from '@gateleg/sql/core/own-tables'
import { findVersion, migrate } from '@gateleg/sql/migrations/migrate'
import type { WrittenMigrations } from '@gateleg/sql/migrations/written-migrations'
import Database from 'better-sqlite3'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { sqliteOwnTables } from '../own-tables.ts'
import { FileInUseError } from './file-lock.ts'
import { writeCopy } from './write-copy.ts'

/** Milliseconds that another program has to finish what it does to the file. */
const patienceMs = 1_000

/**
 * Upgrades a file of an older version in one transaction, while no other program has it open, not even to read it.
 * Before that, a copy is saved beside the file as `<file>.version-005`. Does nothing to a file that is up to date or
 * empty. Throws FileInUseError when another program has the file open, and a StorageRefusedError when the file wasn't
 * made by the product's migrations; then nothing has happened to it.
 */
export async function upgradeFile(file: string, known: WrittenMigrations): Promise<void> {
  const version = await versionOf(file)
  if (version === 0 || version >= known.all.length) return
  const database = new Database(file, { fileMustExist: true, timeout: patienceMs })
  try {
    holdAlone(database, file)
    const connection = new SqliteConnection(database)
    const own = new OwnTables(connection, sqliteOwnTables)
    // Whether it may be upgraded at all, before it is copied.
    connection.control('BEGIN')
    await migrate(own, { ...known, all: known.all.slice(0, version) })
    connection.control('ROLLBACK')
    await setAside(database, file, version)
    connection.control('BEGIN')
    await migrate(own, known)
    connection.control('COMMIT')
  } finally {
    database.close()
  }
}

/** Removes the copies that upgrades have saved. */
export function removeCopies(file: string): void {
  const beginning = `${basename(file)}.version-`
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(beginning)) rmSync(join(dirname(file), name))
  }
}

/** How many migrations have made the file; 0 when it holds nothing of ours. */
async function versionOf(file: string): Promise<number> {
  if (!existsSync(file)) return 0
  const database = new Database(file, { readonly: true, timeout: patienceMs })
  try {
    const table = database.prepare(`select 1 from sqlite_schema where name = 'migrations'`).get()
    if (!table) return 0
    return await findVersion(new OwnTables(new SqliteConnection(database), sqliteOwnTables))
  } finally {
    database.close()
  }
}

/** Keeps every other connection out until this one is closed. */
function holdAlone(database: Database.Database, file: string): void {
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') {
      throw new FileInUseError(file)
    }
    throw error
  }
}

async function setAside(database: Database.Database, file: string, version: number): Promise<void> {
  const copy = `${file}.version-${String(version).padStart(3, '0')}`
  // One that an upgrade has left which did not come to its end: the file is as it was then, or newer.
  rmSync(copy, { force: true })
  await writeCopy(database, copy)
}

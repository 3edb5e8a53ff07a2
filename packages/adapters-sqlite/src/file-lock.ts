import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import Database from 'better-sqlite3'

/** A file that another process serves: this one must not touch it. */
export class FileInUseError extends StorageRefusedError {
  readonly file: string

  constructor(file: string) {
    super(
      `Another program is using ${file}: only one at a time may, so end that one first, or use another file`,
    )
    this.name = 'FileInUseError'
    this.file = file
  }
}

interface Held {
  readonly database: Database.Database
  users: number
}

/** What this process holds, by the path of the lock: a second lock of its own would end the first. */
const heldByPath = new Map<string, Held>()

/** Whether this process holds the file already. */
export function isHeldHere(file: string): boolean {
  return heldByPath.has(lockPathOf(file))
}

function lockPathOf(file: string): string {
  return `${toRealPath(file)}.lock`
}

/** Milliseconds that a program which is just ending has for letting go. */
const patienceMs = 500

/**
 * Holds the file for this process until the answer is called. Throws FileInUseError when another process
 * holds it. What is locked is a small file beside it, by the means of the operating system: a process that
 * is killed leaves no lock behind, and the small file itself says nothing by being there.
 */
export function holdFile(file: string): () => void {
  const path = lockPathOf(file)
  const held = heldByPath.get(path) ?? { database: lock(path, file), users: 0 }
  heldByPath.set(path, held)
  held.users++
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    held.users--
    if (held.users > 0) return
    heldByPath.delete(path)
    held.database.close()
  }
}

function lock(path: string, file: string): Database.Database {
  makePrivateFile(path)
  const database = new Database(path, { timeout: patienceMs })
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    // There is nothing to undo, and a process that is killed leaves no file of that.
    database.pragma('journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') {
      throw new FileInUseError(file)
    }
    throw error
  }
}

/**
 * Makes an empty file for its owner's eyes only, when there is none. One that is there is not even opened:
 * to close it again would end the locks that this process has on it.
 */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The path without links, so that whoever comes by another way finds the same lock. */
function toRealPath(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  return join(realpathSync(dirname(file)), basename(file))
}

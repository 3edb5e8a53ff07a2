import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import Database from 'better-sqlite3'
import { FileUnusableError, refuseOuterBlanks } from './file-unusable-error.ts'

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

/**
 * The locks that this thread holds, by their paths. Opened again here, a file would be locked by writes of a
 * thread that then waits for itself, so it is refused.
 */
const heldPaths = new Set<string>()

function lockPathOf(file: string): string {
  return `${toRealPath(file)}.lock`
}

/** Milliseconds that a program which is just ending has for letting go. */
const patienceMs = 500

/**
 * Locks the file until the returned function is called. Throws FileUnusableError when it is a folder, its path can't be
 * opened as it is, or this thread has locked it already, by whatever path, and FileInUseError when another thread or process has. The lock is one of the operating
 * system on a small file beside it: a process that is killed leaves no lock behind, and that the small file exists
 * means nothing.
 */
export function holdFile(file: string): () => void {
  refuseOuterBlanks(file)
  const path = lockPathOf(file)
  if (heldPaths.has(path)) throw new FileUnusableError(file, new Error(openHere))
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new FileUnusableError(file, new Error('it is a folder'))
  const database = lock(path, file)
  heldPaths.add(path)
  return () => {
    if (!heldPaths.delete(path)) return
    database.close()
  }
}

const openHere =
  'this program has the file open already, so use the engine that has it open, or close that engine first'

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
 * Creates an empty file that only its owner can read, unless it exists. An existing file isn't even opened, because
 * closing it would release the locks that this process has on it.
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
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // A link to a file that is about to be made: its real path is that file's from the beginning.
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
  if (isLink) return toRealPath(resolve(dirname(file), readlinkSync(file)))
  return join(realpathSync(dirname(file)), basename(file))
}

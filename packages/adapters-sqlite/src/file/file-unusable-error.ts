import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import Database from 'better-sqlite3'

/** A file that can't be opened: it is no database, is damaged, can't be written, or its disk is full. */
export class FileUnusableError extends StorageRefusedError {
  constructor(file: string, cause: Error) {
    super(`The file ${file} can't be used: ${cause.message}`)
    this.name = 'FileUnusableError'
    this.cause = cause
  }
}

/**
 * Refuses a path that begins or ends with a blank: the driver takes these away, and would open another file than the one that was
 * locked.
 */
export function refuseOuterBlanks(file: string): void {
  if (file.trim() === file) return
  throw new FileUnusableError(file, new Error('its path begins or ends with a blank'))
}

/** How SQLite says that the fault lies with the file, or with where it is. */
const codes = /^SQLITE_(CANTOPEN|NOTADB|CORRUPT|READONLY|IOERR|PERM|FULL|BUSY|LOCKED)/

/** How it says so of a file that it writes. */
const codesOfWriting =
  /^SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE))/

/** Runs the work on the file; what is wrong with the file becomes a FileUnusableError. */
export function explainingFile<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  return explaining(codes, file, work)
}

/** Runs work that writes the file from another one; what is wrong with the writing alone becomes a FileUnusableError. */
export function explainingTarget<T>(file: string, work: () => Promise<T>): Promise<T> {
  return explaining(codesOfWriting, file, work)
}

async function explaining<T>(told: RegExp, file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FileUnusableError) throw error
    const found = error instanceof Error && error.cause !== undefined ? error.cause : error
    if (found instanceof Database.SqliteError && told.test(found.code)) {
      throw new FileUnusableError(file, found)
    }
    throw error
  }
}

/** What the operating system says of where the file is to be. */
const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'the path of its folder is not a folder',
  EACCES: 'this program may not write there',
  EROFS: 'nothing can be written there',
  ELOOP: 'the symbolic links to it lead in a circle',
}

/**
 * Runs the work on the file; what is wrong with the file, and what the operating system says of its place, becomes a
 * FileUnusableError. Only for work that touches no other file.
 */
export function explainingPlace<T>(file: string, work: () => Promise<T>): Promise<T> {
  return explainingWay(file, () => explainingFile(file, work))
}

/** Runs the work; what is wrong with the path to the file becomes a FileUnusableError. Errors about a database stay: they
 * are those of another file. */
export async function explainingWay<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const sentence = sentences[(error as NodeJS.ErrnoException | undefined)?.code ?? '']
    if (sentence === undefined) throw error
    throw new FileUnusableError(file, new Error(sentence, { cause: error }))
  }
}

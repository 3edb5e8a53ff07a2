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

/** How SQLite says that the fault lies with the file, or with where it is. */
const codes = /^SQLITE_(CANTOPEN|NOTADB|CORRUPT|READONLY|IOERR|PERM|FULL|BUSY|LOCKED)/

/** Runs the work on the file; what is wrong with the file becomes a FileUnusableError. */
export async function explainingFile<T>(file: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const found = error instanceof Error && error.cause !== undefined ? error.cause : error
    if (found instanceof Database.SqliteError && codes.test(found.code)) {
      throw new FileUnusableError(file, found)
    }
    throw error
  }
}

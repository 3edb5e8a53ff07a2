import { SqlSession } from '@gateleg/sql/core/session'
import { requireThisVersion } from '@gateleg/sql/migrations/require-this-version'
import Database from 'better-sqlite3'
import { makeDurable } from '../connection/open-writer.ts'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { sqliteDialect } from '../dialect.ts'
import { sqliteMigrations } from '../sqlite-migrations.ts'
import { holdFile } from './file-lock.ts'
import { explainingFile } from './file-unusable-error.ts'

/** Runs the work in one transaction, which is on disk when it resolves. */
export type Step = <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>

/**
 * Changes a file that nobody else may have open until the work is done, in steps. What is overwritten is not left in
 * the file. Throws FileInUseError where somebody has it open, and a StorageRefusedError for a file of another version or a
 * damaged one.
 */
export async function aloneOnFile<T>(file: string, work: (step: Step) => Promise<T>): Promise<T> {
  const letGo = holdFile(file)
  try {
    return await explainingFile(file, async () => {
      const database = new Database(file, { fileMustExist: true })
      try {
        makeDurable(database)
        database.pragma('secure_delete = ON')
        return await work(stepsOn(database))
      } finally {
        database.close()
      }
    })
  } finally {
    letGo()
  }
}

function stepsOn(database: Database.Database): Step {
  const session = new SqlSession(new SqliteConnection(database), sqliteDialect)
  return async (work) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      await requireThisVersion(session.own, sqliteMigrations)
      const result = await work(session)
      database.exec('COMMIT')
      return result
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}

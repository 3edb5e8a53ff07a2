import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { SqlSession } from '@gateleg/sql/core/session'
import { migrate } from '@gateleg/sql/migrations/migrate'
import { requireThisVersion } from '@gateleg/sql/migrations/require-this-version'
import type { MovingSide, NumberedTable } from '@gateleg/sql/moving/moving-side'
import Database from 'better-sqlite3'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { sqliteDialect } from '../dialect.ts'
import { sqliteMigrations } from '../sqlite-migrations.ts'
import { holdFile, makePrivateFile } from './file-lock.ts'
import { explainingFile } from './file-unusable-error.ts'
import { syncFolder, syncPath } from './write-copy.ts'

/** Rows, and characters of them, that are read before they are handed on. */
const rowsAtOnce = 1_000
const lengthAtOnce = 1_048_576

/**
 * Runs the work on the source file of a move, which is not changed and which nobody else may have open. Throws
 * FileInUseError where somebody has it open, and a StorageRefusedError for a file of another version or a damaged
 * one.
 */
export async function movingFromFile<T>(
  file: string,
  work: (side: MovingSide) => Promise<T>,
): Promise<T> {
  const letGo = holdFile(file)
  try {
    return await explainingFile(file, async () => {
      const database = new Database(file, { readonly: true, fileMustExist: true })
      try {
        const side = new SqliteMovingSide(database)
        await side.step(({ own }) => requireThisVersion(own, sqliteMigrations))
        return await work(side)
      } finally {
        database.close()
      }
    })
  } finally {
    letGo()
  }
}

/**
 * Runs the work on the new target file of a move, which gets its name once everything is in it and on disk. Throws an
 * error with the code `EEXIST` when the file exists already.
 */
export async function movingToFile<T>(
  file: string,
  work: (side: MovingSide) => Promise<T>,
): Promise<T> {
  if (existsSync(file)) throw Object.assign(new Error(`${file} is there`), { code: 'EEXIST' })
  const letGo = holdFile(file)
  const part = `${file}.moving`
  try {
    for (const ending of ['', '-journal']) rmSync(`${part}${ending}`, { force: true })
    makePrivateFile(part)
    const database = new Database(part)
    try {
      // Should the program end, the file goes: there is nothing to keep of it.
      database.pragma('journal_mode = OFF')
      database.pragma('synchronous = OFF')
      const side = new SqliteMovingSide(database)
      await side.step(({ own }) => migrate(own, sqliteMigrations))
      const result = await work(side)
      database.close()
      syncPath(part)
      renameSync(part, file)
      syncFolder(dirname(file))
      return result
    } finally {
      database.close()
      rmSync(part, { force: true })
    }
  } finally {
    letGo()
  }
}

class SqliteMovingSide implements MovingSide {
  readonly dialect = sqliteDialect
  readonly #database: Database.Database
  readonly #session: SqlSession

  constructor(database: Database.Database) {
    this.#database = database
    this.#session = new SqlSession(new SqliteConnection(database), sqliteDialect)
  }

  async step<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    this.#database.exec('BEGIN')
    try {
      const result = await work(this.#session)
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  async listTables() {
    const names = this.#database
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
      )
      .pluck()
      .all() as string[]
    return names.map((name) => {
      const end = name.indexOf('.')
      return end < 0
        ? { baseId: undefined, name }
        : { baseId: name.slice(0, end), name: name.slice(end + 1) }
    })
  }

  async columnsOf(_session: SqlSession, name: string) {
    // The types of SQLite itself are told in capitals, others as they were written.
    const query = 'select name, lower(type) as type from pragma_table_info(?)'
    return this.#database.prepare(query).all(name) as {
      name: string
      type: string
    }[]
  }

  async *rowsOf(_session: SqlSession, statement: string) {
    let rows: (readonly unknown[])[] = []
    let length = 0
    for (const row of this.#database.prepare(statement).raw().iterate() as Iterable<unknown[]>) {
      rows.push(row)
      for (const value of row) if (typeof value === 'string') length += value.length
      if (rows.length < rowsAtOnce && length < lengthAtOnce) continue
      yield rows
      rows = []
      length = 0
    }
    if (rows.length > 0) yield rows
  }

  async lastNumber(_session: SqlSession, { baseId, dbTableName }: NumberedTable) {
    const last = this.#database
      .prepare('select seq from sqlite_sequence where name = ?')
      .pluck()
      .get(`${baseId}.${dbTableName}`)
    return Number(last ?? 0)
  }

  async setLastNumber(_session: SqlSession, table: NumberedTable, last: number) {
    const name = `${table.baseId}.${table.dbTableName}`
    this.#database.prepare('delete from sqlite_sequence where name = ?').run(name)
    this.#database.prepare('insert into sqlite_sequence values (?, ?)').run(name, last)
  }
}

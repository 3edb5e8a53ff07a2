import Database from 'better-sqlite3'
import { addQueryFunctions } from '../connection/query-functions.ts'

/**
 * Returns what is wrong with a file, in SQLite's words; nothing for a sound one. Reads all of it: some seconds per
 * gigabyte. A log that a crash left beside the file is read, too, but not written back.
 */
export function findDamage(file: string): readonly string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  addQueryFunctions(database)
  try {
    const findings = listDamage(database)
    return findings.length > 0 ? findings : listOrphans(database)
  } catch (error) {
    if (error instanceof Database.SqliteError && damageCodes.test(error.code))
      return [error.message]
    throw error
  } finally {
    database.close()
  }
}

/** How SQLite says that it can't even look. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/

/** What is found before SQLite gives up: the first findings name the pages. */
function listDamage(database: Database.Database): readonly string[] {
  const findings: string[] = []
  try {
    for (const [finding] of database
      .prepare('pragma integrity_check')
      .raw(true)
      .iterate() as Iterable<[string]>) {
      if (finding !== 'ok') findings.push(finding)
    }
  } catch (error) {
    if (findings.length === 0) return listBrokenPages(database, error)
  }
  return findings
}

/** A look that leaves indexes alone gets on where the whole one gives up, and names the pages. */
function listBrokenPages(database: Database.Database, error: unknown): readonly string[] {
  try {
    const rows = database.pragma('quick_check') as { quick_check: string }[]
    const findings = rows.map((row) => row.quick_check).filter((finding) => finding !== 'ok')
    if (findings.length > 0) return findings
  } catch {
    // What the first look failed with says as much.
  }
  throw error
}

function listOrphans(database: Database.Database): readonly string[] {
  const rows = database.pragma('foreign_key_check') as { table: string; parent: string }[]
  return rows.map(({ table, parent }) => `a row of ${table} misses its row of ${parent}`)
}

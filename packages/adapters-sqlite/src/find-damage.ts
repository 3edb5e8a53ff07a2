import Database from 'better-sqlite3'

/**
 * What is wrong with a file, in SQLite's words; empty for a sound one. Reads all of it: some seconds per
 * gigabyte. What a crash left in the log beside the file is taken into account, not written back.
 */
export function findDamage(file: string): readonly string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true })
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

function listDamage(database: Database.Database): readonly string[] {
  const rows = database.pragma('integrity_check') as { integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((finding) => finding !== 'ok')
}

function listOrphans(database: Database.Database): readonly string[] {
  const rows = database.pragma('foreign_key_check') as { table: string; parent: string }[]
  return rows.map(({ table, parent }) => `a row of ${table} misses its row of ${parent}`)
}

import { assert } from '@gateleg/domain/errors'
import type Database from 'better-sqlite3'

/** Whether the statement changes the texts by which tables are defined. */
export function changesDefinition(sql: string): boolean {
  return sql.startsWith('update sqlite_schema ')
}

/**
 * Runs a statement that changes the definition of one table, in the transaction under way: it must leave what the table has on the
 * disk as it is. SQLite describes this way (https://www.sqlite.org/lang_altertable.html, section 7): every connection, this one too,
 * reads the definitions anew then, and prepares again what it had prepared. Throws where it changes any other number of definitions.
 */
export function changeDefinition(database: Database.Database, sql: string): void {
  database.unsafeMode(true)
  try {
    database.pragma('writable_schema = on')
    const { changes } = database.prepare(sql).run()
    assert(changes === 1, 'the definition of one table was changed')
    const version = Number(database.pragma('schema_version', { simple: true }))
    database.pragma(`schema_version = ${version + 1}`)
  } finally {
    database.pragma('writable_schema = reset')
    database.unsafeMode(false)
  }
}

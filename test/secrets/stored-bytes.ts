import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'

/** Bytes that were found stored, and where. */
export interface Stored {
  readonly place: string
  readonly bytes: Buffer
}

/** All files below a folder, as they are. */
export function filesBelow(folder: string): readonly Stored[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const place = join(entry.parentPath, entry.name)
      return { place, bytes: readFileSync(place) }
    })
}

/** All rows of a SQLite file, each table as one text. */
export function rowsOfSqlite(file: string): readonly Stored[] {
  const database = new Database(file, { readonly: true })
  try {
    const tables = database
      .prepare("select name from sqlite_master where type = 'table'")
      .pluck()
      .all()
    return tables.map((table) => {
      const rows = database.prepare(`select * from "${table}"`).raw().all() as unknown[][]
      const pieces = rows.flat().flatMap((value) => {
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
        return [bytes, Buffer.from('\n')]
      })
      return { place: `rows of ${table}`, bytes: Buffer.concat(pieces) }
    })
  } finally {
    database.close()
  }
}

const tablesOfDatabase = `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')`

/** All rows of a PostgreSQL database, each table as one text; bytes are written as hexadecimal digits. */
export async function rowsOfPostgres(connectionString: string): Promise<readonly Stored[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(tablesOfDatabase)
    const stored: Stored[] = []
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      // Quotes and backslashes are doubled in the text of a row.
      const text = found.rows
        .map((row) => row.text.replaceAll('""', '"').replaceAll('\\\\', '\\'))
        .join('\n')
      stored.push({ place: `rows of ${name}`, bytes: Buffer.from(text) })
    }
    return stored
  } finally {
    await client.end()
  }
}

import { createHash } from 'node:crypto'
import { postgresDialect } from '@gateleg/adapters-postgres/dialect'
import { sqliteDialect } from '@gateleg/adapters-sqlite/dialect'
import type { SqlDialect } from '@gateleg/sql/core/dialect/sql-dialect'
import { toText } from '@gateleg/sql/migrations/migration-texts'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'

/** What each migration says to each engine, as SHA-256 in hexadecimal. */
export type TextHashes = Readonly<Record<string, Readonly<Record<'sqlite' | 'postgres', string>>>>

/** The hashes of all migrations as they are now, by name. */
export function textHashes(): TextHashes {
  return Object.fromEntries(
    migrations.map((migration) => {
      const hashFor = (dialect: SqlDialect) => {
        const [written] = writeMigrations(dialect, [migration]).all
        const text = toText(written?.statements ?? [], dialect)
        return createHash('sha256').update(text).digest('hex')
      }
      // Whatever the schema of the product's own tables is called.
      const postgres = hashFor(postgresDialect(`any_${migration.name.slice(0, 3)}`))
      return [migration.name, { sqlite: hashFor(sqliteDialect), postgres }]
    }),
  )
}

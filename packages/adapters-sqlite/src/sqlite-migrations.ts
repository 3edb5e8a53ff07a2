import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { sqliteDialect } from './dialect.ts'

/** All migrations in the SQL of SQLite. The build writes them down, so that no start compiles them. */
export const sqliteMigrations = writeMigrations(sqliteDialect)

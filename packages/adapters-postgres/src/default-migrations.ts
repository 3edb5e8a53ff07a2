import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { postgresDialect } from './dialect.ts'
import { defaultSchema } from './own-tables.ts'

/** All migrations in the SQL of PostgreSQL, with the tables in that schema. The build writes them down, so that no start compiles them. */
export const defaultMigrations = writeMigrations(postgresDialect(defaultSchema))

import { writeMigrations } from '@gateleg/sql/migrations/write-migrations'
import { postgresDialect } from './dialect.ts'

/** The schema of the product's own tables where none is named. */
export const defaultSchema = 'gateleg'

/** All migrations in the SQL of PostgreSQL, with the tables in that schema. The build writes them down, so that no start compiles them. */
export const defaultMigrations = writeMigrations(postgresDialect(defaultSchema))

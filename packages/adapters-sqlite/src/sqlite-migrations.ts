import { migrations } from '@gateleg/sql/migrations/migrate'
import { statementsOf } from '@gateleg/sql/migrations/migration-texts'
import { sqliteDialect } from './dialect.ts'

/** All migrations in the SQL of SQLite, oldest first. The build writes them down, so that no start compiles them. */
export const sqliteMigrations = migrations.map((migration) => ({
  name: migration.name,
  statements: statementsOf(migration, sqliteDialect),
}))

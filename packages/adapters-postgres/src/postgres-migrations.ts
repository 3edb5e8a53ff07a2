import { quote } from '@gateleg/sql/core/statements/quote'
import type { WrittenMigrations } from '@gateleg/sql/migrations/written-migrations'
import { defaultMigrations } from './default-migrations.ts'
import { defaultSchema } from './own-tables.ts'

/** All migrations in the SQL of PostgreSQL, with the product's own tables in the schema. */
export function postgresMigrations(metadataSchema: string): WrittenMigrations {
  const inSchema = (statement: string) =>
    statement.replaceAll(`${quote(defaultSchema)}.`, () => `${quote(metadataSchema)}.`)
  const { ownTables, all } = defaultMigrations
  return {
    ownTables: ownTables.map(inSchema),
    all: all.map(({ name, statements }) => ({ name, statements: statements.map(inSchema) })),
  }
}

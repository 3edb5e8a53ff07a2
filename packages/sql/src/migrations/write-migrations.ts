import { assert } from '@gateleg/domain/errors'
import type { Compilable } from 'kysely'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { type Migration, TableBuilder } from './migration.ts'
import { migrations } from './migrations.ts'
import type { WrittenMigrations } from './written-migrations.ts'

/** Writes migrations in the SQL of an engine. Throws where a statement has values: what makes tables has none. */
export function writeMigrations(
  dialect: SqlDialect,
  known: readonly Migration[] = migrations,
): WrittenMigrations {
  const builder = new TableBuilder(dialect)
  return {
    ownTables: ownTables(builder).map((table) => textOf(table.ifNotExists())),
    all: known.map(({ name, statements }) => ({
      name,
      statements: statements(builder).map(textOf),
    })),
  }
}

/** The tables about migrations. */
function ownTables({ table }: TableBuilder) {
  return [
    table(
      'migrations',
      [
        ['number', 'integer'],
        ['name', 'text'],
      ],
      ['number'],
    ),
    table(
      'migration_texts',
      [
        ['number', 'integer'],
        ['text', 'text'],
      ],
      ['number'],
    ),
  ]
}

function textOf(statement: Compilable): string {
  const { sql, parameters } = statement.compile()
  assert(parameters.length === 0, 'a statement about tables has no values')
  return sql
}

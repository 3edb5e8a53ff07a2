import { assert } from '@gateleg/domain/errors'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { quote } from '../core/quote.ts'
import type { SqlSession } from '../core/session.ts'
import { type Migration, TableBuilder } from './migration.ts'
import { UnknownStorageError } from './storage-errors.ts'

/** The statements of the migration in the SQL of an engine. Throws where one has values: what makes tables has none. */
export function statementsOf({ statements }: Migration, dialect: SqlDialect): readonly string[] {
  if (typeof statements !== 'function') return statements
  return statements(new TableBuilder(dialect)).map((statement) => {
    const { sql, parameters } = statement.compile()
    assert(parameters.length === 0, 'a statement about tables has no values')
    return sql
  })
}

/**
 * What the migration says to an engine. It is the same whatever the schema of the product's own tables is
 * called, and however its statements are broken into lines.
 */
export function textOf(migration: Migration, dialect: SqlDialect): string {
  return toText(statementsOf(migration, dialect), dialect)
}

/** The text of a migration with these statements. */
export function toText(statements: readonly string[], dialect: SqlDialect): string {
  const text = statements.map((one) => `${one.replace(/\s+/g, ' ').trim()};`).join('\n')
  const { metadataSchema } = dialect
  return metadataSchema === undefined ? text : text.replaceAll(`${quote(metadataSchema)}.`, '')
}

/**
 * Throws UnknownStorageError unless the storage was made by these migrations as they stand here, as far as
 * they have run: the texts that made it are kept in it, and a migration that was changed after it ran
 * somewhere would leave two kinds of storages that both count as up to date.
 */
export async function requireSameTexts(
  session: SqlSession,
  ran: readonly Migration[],
): Promise<void> {
  const rows = await session.allOnce(
    session.db.selectFrom('migration_texts').select(['number', 'text']),
  )
  const textsByNumber = new Map(rows.map(({ number, text }) => [number, text]))
  for (const [index, migration] of ran.entries()) {
    if (textsByNumber.get(index + 1) !== textOf(migration, session.dialect)) {
      throw new UnknownStorageError(migration.name)
    }
  }
}

/** Keeps the texts of migrations that have run, each with its number. */
export async function keepTexts(
  session: SqlSession,
  texts: readonly { readonly number: number; readonly text: string }[],
): Promise<void> {
  await session.runOnce(session.db.insertInto('migration_texts').values(texts))
}

import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { quote } from '../core/quote.ts'
import type { SqlSession } from '../core/session.ts'
import { type Migration, TableBuilder } from './migration.ts'
import { UnknownStorageError } from './storage-errors.ts'

/**
 * What the migration says to an engine. It is the same whatever the schema of the product's own tables is
 * called, and however its statements are broken into lines.
 */
export function textOf(migration: Migration, dialect: SqlDialect): string {
  const texts = migration.statements(new TableBuilder(dialect)).map((one) => one.compile().sql)
  const text = texts.map((one) => `${one.replace(/\s+/g, ' ').trim()};`).join('\n')
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

/** Keeps the text of a migration that has run. */
export async function keepText(
  session: SqlSession,
  number: number,
  migration: Migration,
): Promise<void> {
  const text = textOf(migration, session.dialect)
  await session.runOnce(session.db.insertInto('migration_texts').values({ number, text }))
}

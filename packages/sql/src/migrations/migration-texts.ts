import type { OwnTableDialect } from '../core/dialect/own-table-dialect.ts'
import type { OwnTables } from '../core/own-tables.ts'
import { quote } from '../core/statements/quote.ts'
import { UnknownStorageError } from './storage-errors.ts'
import type { WrittenMigration } from './written-migrations.ts'

/**
 * What a migration says to an engine. It is the same whatever the schema of the product's own tables is
 * called, and however its statements are broken into lines.
 */
export function toText(
  statements: readonly string[],
  { metadataSchema }: Pick<OwnTableDialect, 'metadataSchema'>,
): string {
  const text = statements.map((one) => `${one.replace(/\s+/g, ' ').trim()};`).join('\n')
  return metadataSchema === undefined ? text : text.replaceAll(`${quote(metadataSchema)}.`, '')
}

/** Whether the storage keeps the texts of what made it, as all have since the second version. */
export async function hasTexts(own: OwnTables): Promise<boolean> {
  const rows = await own.all(
    ({ table }) => `select number from ${table('migration_texts')} limit 1`,
  )
  return rows.length > 0
}

/**
 * Throws UnknownStorageError unless the storage was made by these migrations as they stand here, as far as
 * they have run: the texts that made it are kept in it, and a migration that was changed after it ran
 * somewhere would leave two kinds of storages that both count as up to date.
 */
export async function requireSameTexts(
  own: OwnTables,
  ran: readonly WrittenMigration[],
): Promise<void> {
  const rows = await own.all<{ number: number; text: string }>(
    ({ table }) => `select number, text from ${table('migration_texts')}`,
  )
  const textsByNumber = new Map(rows.map(({ number, text }) => [number, text]))
  for (const [index, { name, statements }] of ran.entries()) {
    if (textsByNumber.get(index + 1) !== toText(statements, own.dialect)) {
      throw new UnknownStorageError(name)
    }
  }
}

/** Keeps the texts of migrations that have run, each with its number. */
export async function keepTexts(
  own: OwnTables,
  texts: readonly { readonly number: number; readonly text: string }[],
): Promise<void> {
  await own.run(({ table, value }) => {
    const rows = texts.map(({ number, text }) => `(${value(number)}, ${value(text)})`)
    return `insert into ${table('migration_texts')} (number, text) values ${rows.join(', ')}`
  })
}

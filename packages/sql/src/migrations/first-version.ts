import { SqlFailure } from '../core/connection.ts'
import type { OwnTables } from '../core/own-tables.ts'
import { keepTexts, toText } from './migration-texts.ts'
import { UnknownStorageError } from './storage-errors.ts'
import type { WrittenMigration } from './written-migrations.ts'

/** The first version that counts: it kept no texts of its migrations. Before it, migrations were changed. */
const firstVersion = 5

/** What storages of the versions before it lack, though they may count as of that version. */
const newColumns = [
  ['003-tables', 'fields', ['result', 'has_error', 'is_pending', 'foreign_table_id']],
  ['004-jobs', 'calculations', ['until_number']],
] as const

/**
 * Lets a storage of the first version have the texts of its migrations, as it would have if that version
 * had kept them. Throws UnknownStorageError for what is of no released version.
 */
export async function adoptFirstVersion(
  own: OwnTables,
  ran: readonly WrittenMigration[],
): Promise<void> {
  const last = ran.at(-1)
  if (ran.length !== firstVersion) throw new UnknownStorageError(last?.name ?? '')
  for (const [migrationName, table, columns] of newColumns) {
    try {
      await own.all((parts) => `select ${columns.join(', ')} from ${parts.table(table)} limit 0`)
    } catch (error) {
      if (error instanceof SqlFailure) throw new UnknownStorageError(migrationName)
      throw error
    }
  }
  const texts = ran.map(({ statements }, index) => ({
    number: index + 1,
    text: toText(statements, own.dialect),
  }))
  await keepTexts(own, texts)
}

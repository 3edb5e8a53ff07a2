import type { OwnTables } from '../core/own-tables.ts'
import { adoptFirstVersion } from './first-version.ts'
import { hasTexts, keepTexts, requireSameTexts, toText } from './migration-texts.ts'
import { NewerStorageError } from './storage-errors.ts'
import type { WrittenMigration, WrittenMigrations } from './written-migrations.ts'

/** How many migrations have made the storage; its table of them is there. */
export async function findVersion(own: OwnTables): Promise<number> {
  const [row] = await own.all<{ version: number | null }>(
    ({ table }) => `select max(number) as version from ${table('migrations')}`,
  )
  return row?.version ?? 0
}

/**
 * Whether exactly these migrations have made the storage, which must have its tables about migrations. Throws
 * NewerStorageError when it has more of them, UnknownStorageError when other migrations have made it.
 */
export async function isUpToDate(own: OwnTables, { all }: WrittenMigrations): Promise<boolean> {
  const version = await findVersion(own)
  if (version > all.length) throw new NewerStorageError(version, all.length)
  if (version > 0) await requireSameTexts(own, all.slice(0, version))
  return version === all.length
}

/**
 * Brings the storage to the newest of the migrations, inside the transaction of the connection, so that
 * a failed one leaves the storage as it was. Throws a StorageRefusedError, having changed nothing, when the
 * storage is ahead or of another origin. Returns the names of the migrations that ran.
 */
export async function migrate(
  own: OwnTables,
  { ownTables, all }: WrittenMigrations,
): Promise<readonly string[]> {
  for (const statement of ownTables) await own.connection.define(statement)
  const version = await findVersion(own)
  if (version > all.length) throw new NewerStorageError(version, all.length)
  const ran = all.slice(0, version)
  if (version > 0 && !(await hasTexts(own))) await adoptFirstVersion(own, ran)
  await requireSameTexts(own, ran)
  const due = all.slice(version)
  if (due.length > 0) await run(own, due, version)
  return due.map(({ name }) => name)
}

/** Runs the migrations that follow those which have run, and notes them, in one statement for all. */
async function run(
  own: OwnTables,
  due: readonly WrittenMigration[],
  version: number,
): Promise<void> {
  for (const { statements } of due) await own.connection.define(statements.join(';\n'))
  const ran = due.map(({ name, statements }, index) => ({
    number: version + index + 1,
    name,
    text: toText(statements, own.dialect),
  }))
  await own.run(({ table, value }) => {
    const rows = ran.map(({ number, name }) => `(${value(number)}, ${value(name)})`)
    return `insert into ${table('migrations')} (number, name) values ${rows.join(', ')}`
  })
  await keepTexts(own, ran)
}

import type { OwnTables } from '../core/own-tables.ts'
import { isUpToDate } from './migrate.ts'
import { StorageRefusedError } from './storage-errors.ts'
import type { WrittenMigrations } from './written-migrations.ts'

/** Throws a StorageRefusedError for data that other migrations have made, which must have its tables about migrations. */
export async function requireThisVersion(own: OwnTables, known: WrittenMigrations): Promise<void> {
  if (await isUpToDate(own, known)) return
  throw new StorageRefusedError(
    'The data are of an older version: start this version of the server on them once, which upgrades them',
  )
}

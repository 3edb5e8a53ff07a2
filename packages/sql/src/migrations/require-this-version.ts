import type { SqlSession } from '../core/session.ts'
import { isUpToDate, migrations } from './migrate.ts'
import { StorageRefusedError } from './storage-errors.ts'

/** Throws a StorageRefusedError for data of another version, which must have its tables about migrations. */
export async function requireThisVersion(session: SqlSession): Promise<void> {
  if (await isUpToDate(session, migrations)) return
  throw new StorageRefusedError(
    'The data are of an older version: start this version of the server on them once, which upgrades them',
  )
}

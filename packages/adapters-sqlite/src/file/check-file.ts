import { hashBase } from '@gateleg/domain/bases/canonical-form'
import { SqlCanonicalReader } from '@gateleg/sql/bases/sql-canonical-reader'
import { SqlSession } from '@gateleg/sql/core/session'
import { findVersion } from '@gateleg/sql/migrations/migrate'
import { migrations } from '@gateleg/sql/migrations/migrations'
import { NewerStorageError, StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import Database from 'better-sqlite3'
import { SqliteConnection } from '../connection/sqlite-connection.ts'
import { sqliteDialect } from '../dialect.ts'
import { explainingFile } from './file-unusable-error.ts'
import { findDamage } from './find-damage.ts'

/** What a sound file holds. */
export interface FileContent {
  /** How many migrations have made it. */
  readonly version: number
  /** Bases and records, living and deleted; undefined for a file of an older version, which isn't read. */
  readonly counts: { readonly bases: number; readonly records: number } | undefined
}

/**
 * Checks a whole file: its pages, its foreign keys, and every record of every base, read as the product reads it.
 * Throws a StorageRefusedError for a file that is damaged, is newer than this program, or isn't Gateleg's.
 */
export function checkFile(file: string): Promise<FileContent> {
  return explainingFile(file, async () => {
    const [damage] = findDamage(file)
    if (damage !== undefined) {
      throw new StorageRefusedError(`The file ${file} is damaged: ${damage}`)
    }
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      return await readContent(file, database)
    } finally {
      database.close()
    }
  })
}

async function readContent(file: string, database: Database.Database): Promise<FileContent> {
  const isOurs = database.prepare(`select 1 from sqlite_schema where name = 'migrations'`).get()
  const session = new SqlSession(new SqliteConnection(database), sqliteDialect)
  const version = isOurs ? await findVersion(session.own) : 0
  if (version === 0) throw new StorageRefusedError(`The file ${file} holds no workspace`)
  if (version > migrations.length) throw new NewerStorageError(version, migrations.length)
  if (version < migrations.length) return { version, counts: undefined }
  const baseIds = database.prepare('select id from bases').pluck().all() as string[]
  let records = 0
  for (const baseId of baseIds) records += await countRecords(session, baseId)
  return { version, counts: { bases: baseIds.length, records } }
}

/** Reads the base whole. It is about the reading: the hash that comes of it is not made. */
async function countRecords(session: SqlSession, baseId: string): Promise<number> {
  const canonical = new SqlCanonicalReader(session)
  const digester = () => ({ add: () => {}, end: () => '' })
  const structure = await canonical.structure(baseId)
  return (await hashBase({ canonical, giveWay: async () => {} }, { digester }, structure)).records
}

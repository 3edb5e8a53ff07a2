import Database from 'better-sqlite3'
import { explainingFile } from './file-unusable-error.ts'

/** What can be learned about a file without changing it. */
export interface FileFacts {
  /** Whether somebody has an account in it, or a key has been taken for it. */
  readonly isBegun: boolean
  /** What tells its key from others; undefined for a file of a version that kept none. */
  readonly keyFingerprint: string | undefined
  /** The key itself, which a backup may hold. */
  readonly key: string | undefined
}

/** Reads facts about a file without disturbing a server that uses it. Throws FileUnusableError. */
export function readFileFacts(file: string): Promise<FileFacts> {
  return explainingFile(file, () => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      const has = (table: string) =>
        database.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined
      const find = (name: string) =>
        has('instance')
          ? (database.prepare('select value from instance where name = ?').pluck().get(name) as
              | string
              | undefined)
          : undefined
      const [key, keyFingerprint] = [find('key'), find('key_fingerprint')]
      const hasUsers = has('users') && database.prepare('select 1 from users limit 1').get()
      const isBegun = key !== undefined || keyFingerprint !== undefined || Boolean(hasUsers)
      return { isBegun, keyFingerprint, key }
    } finally {
      database.close()
    }
  })
}

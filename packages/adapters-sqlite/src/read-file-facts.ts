import Database from 'better-sqlite3'
import { explainingFile } from './file-unusable-error.ts'

/** What a file tells about itself without being changed. */
export interface FileFacts {
  /** Whether somebody has an account in it, or a key has been taken for it. */
  readonly isBegun: boolean
  /** What tells its key from others; undefined for a file of a version that kept none. */
  readonly keyFingerprint: string | undefined
  /** The key itself, which a backup may hold. */
  readonly key: string | undefined
}

/** Reads what the file tells about itself; whoever serves it is not disturbed. Throws FileUnusableError. */
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

import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import type { FileContent } from './check-file.ts'
import {
  explainingFile,
  explainingTarget,
  explainingWay,
  FileUnusableError,
  refuseOuterBlanks,
} from './file-unusable-error.ts'
import { syncFolder, writeCopy } from './write-copy.ts'

/**
 * Copies the file as it is at this moment to a new file, and checks all of the copy before it gets its name. A server
 * may use the file meanwhile. With a key, the key is stored in the copy. `beside` may read the copy, and save what
 * belongs to it, before it gets its name. Throws an error with the code `EEXIST` when the target exists already, and
 * a StorageRefusedError for a file that is damaged or missing, and for a target that can't be created.
 */
export async function backUpFile(
  file: string,
  target: string,
  key: string | undefined,
  beside: (copy: string) => Promise<void> = async () => {},
): Promise<FileContent> {
  let content: FileContent | undefined
  await copyOf(file, target, async (part) => {
    if (key !== undefined)
      changeInstance(part, 'insert or replace into instance values (?, ?)', key)
    // Loaded where a copy is made: to read every record takes most of the product, and to open a file little of it.
    const { checkFile } = await import('./check-file.ts')
    content = await checkFile(part)
    await beside(part)
  })
  return content as FileContent
}

/**
 * Replaces a file, which nobody may have open, by a backup, without the key that the backup may contain. The old file
 * is kept under the name `aside`. Whenever the program ends meanwhile, the old file or the new one is complete under
 * one of these names.
 */
export async function restoreFile(backup: string, file: string, aside: string): Promise<void> {
  const restored = `${file}.restored`
  rmSync(restored, { force: true })
  await copyOf(backup, restored, async (part) => {
    changeInstance(part, 'delete from instance where name = ?')
  })
  foldLog(file)
  for (const ending of ['', '-wal', '-shm'])
    moveWhatIsThere(`${file}${ending}`, `${aside}${ending}`)
  renameSync(restored, file)
  syncFolder(dirname(file))
}

async function copyOf(
  file: string,
  target: string,
  finish: (part: string) => Promise<void>,
): Promise<void> {
  for (const path of [file, target]) refuseOuterBlanks(path)
  if (!existsSync(file)) throw new FileUnusableError(file, new Error(reasonWithout(file)))
  await explainingFile(file, async () => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      // What is wrong with this file shows itself here: what can't be written after that is the other one.
      database.prepare('select 1 from sqlite_schema').get()
      const copy = () => writeCopy(database, target, finish)
      await explainingWay(target, () => explainingTarget(target, copy))
    } finally {
      database.close()
    }
  })
}

/** Why there is nothing to copy where there is no file. */
function reasonWithout(file: string): string {
  if (file === ':memory:') return 'a database in memory has no file that could be copied'
  return 'it is not there'
}

/** Runs a statement about what the file keeps of its key. */
function changeInstance(file: string, statement: string, ...values: string[]): void {
  const database = new Database(file)
  try {
    database.prepare(statement).run('key', ...values)
  } finally {
    database.close()
  }
}

/**
 * Writes the log back into the file, which has none from then on, as a backup has none; what can't be, as that of a damaged
 * file, is moved along with it.
 */
function foldLog(file: string): void {
  try {
    const database = new Database(file, { fileMustExist: true })
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
      database.pragma('journal_mode = DELETE')
    } finally {
      database.close()
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error
  }
}

function moveWhatIsThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

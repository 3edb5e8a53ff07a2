import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { checkFile, type FileContent } from './check-file.ts'
import { explainingFile, explainingWay, FileUnusableError } from './file-unusable-error.ts'
import { syncFolder, writeCopy } from './write-copy.ts'

/**
 * Writes what the file holds at this moment to another one, which it makes, and reads that whole before it
 * gets its name. Whoever serves the file goes on. With a key, the key is kept in the copy. Throws an error
 * with the code `EEXIST` when the target is there already, and a StorageRefusedError for a file that is not
 * sound or not there, and for a target that can't be. `beside` may put aside what belongs to the copy, which it
 * may read, before that has its name.
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
    content = await checkFile(part)
    await beside(part)
  })
  return content as FileContent
}

/**
 * Puts what a backup holds in the place of a file, which nobody may have open, without the key that the
 * backup may hold. What is in that place is kept under the name `aside`. Whatever ends the program
 * meanwhile, the old file or the new one is there whole under one of these names.
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
  if (!existsSync(file)) throw new FileUnusableError(file, new Error(reasonWithout(file)))
  await explainingFile(file, async () => {
    const database = new Database(file, { readonly: true, fileMustExist: true })
    try {
      await explainingWay(target, () => writeCopy(database, target, finish))
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

/** Writes the log back into the file; what can't be, as that of a damaged file, is moved along with it. */
function foldLog(file: string): void {
  try {
    const database = new Database(file, { fileMustExist: true })
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
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

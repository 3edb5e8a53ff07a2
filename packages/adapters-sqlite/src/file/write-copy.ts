import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { addQueryFunctions } from '../connection/query-functions.ts'
import { makePrivateFile } from './file-lock.ts'

/**
 * Copies the database as it is at this moment to a new file that only its owner can read. Others may read and write
 * the database meanwhile. The copy gets its name once it is complete and on disk: a process that is killed leaves a
 * file whose name ends in `.part`, which the next copy replaces. `finish` may read or change the complete copy before
 * that; when it throws, there is no copy. Throws an error with the code `EEXIST` when the target exists already.
 */
export async function writeCopy(
  database: Database.Database,
  target: string,
  finish: (part: string) => Promise<void> = async () => {},
): Promise<void> {
  const part = `${target}.part`
  rmSync(part, { force: true })
  makePrivateFile(part)
  try {
    // Indexes are made of what these give.
    addQueryFunctions(database)
    database.prepare('VACUUM INTO ?').run(part)
    await finish(part)
    syncPath(part)
    nameOnce(part, target)
  } finally {
    rmSync(part, { force: true })
  }
  syncFolder(dirname(target))
}

/** Gives the file its name, unless another one has it: then it throws an error with the code `EEXIST`. */
export function nameOnce(part: string, target: string): void {
  try {
    linkSync(part, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Some file systems have no second names for a file: there, the name is taken without a look.
    closeSync(openSync(target, 'wx', 0o600))
    renameSync(part, target)
  }
}

/** Syncs the bytes of a file to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Syncs a folder to the disk, with the entries of new or renamed files. */
export function syncFolder(folder: string): void {
  // Windows syncs entries by itself, and has no way to ask for it.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

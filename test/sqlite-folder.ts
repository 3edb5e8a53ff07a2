import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder for the SQLite files of this run. */
    readonly sqliteFolder: string
  }
}

/** A folder in memory, which Linux has: tests don't wait for a disk there. */
const inMemory = '/dev/shm'

/** Bytes that must be free there, several times what the tests leave: containers often have 64 MiB. */
const leastFree = 4 * 1024 ** 3

/** Gives the run a folder for SQLite files, which goes with all that tests have left there. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), 'gateleg-'))
  provide('sqliteFolder', folder)
  return () => rmSync(folder, { recursive: true })
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= leastFree
}

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
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

/** Gives the run a folder for SQLite files, which goes with all that tests have left there. */
export default function setup({ provide }: TestProject): () => void {
  const place = existsSync(inMemory) ? inMemory : tmpdir()
  const folder = mkdtempSync(join(place, 'gateleg-'))
  provide('sqliteFolder', folder)
  return () => rmSync(folder, { recursive: true })
}

import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFileFacts } from '@gateleg/adapters-sqlite/read-file-facts'
import { syncFolder } from '@gateleg/adapters-sqlite/write-copy'
import { instanceKeyLengthMin } from '@gateleg/engine/instance-key'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { ConfigurationError } from './configuration.ts'
import { databaseFile } from './data-directory.ts'

/** The file of a data directory that holds its instance key. */
export function keyFile(dataDir: string): string {
  return join(dataDir, 'instance.key')
}

/** Reads the key from a data directory; undefined when there is none. Throws for a file that isn't a key. */
export function readInstanceKey(dataDir: string): string | undefined {
  const file = keyFile(dataDir)
  if (!existsSync(file)) return undefined
  if (!statSync(file).isFile()) {
    throw new ConfigurationError([
      `${file} is not a file: move it away and put the right one back, or set GATELEG_KEY to the key.`,
    ])
  }
  const key = readFileSync(file, 'utf8').trim()
  if (key.length >= instanceKeyLengthMin) return key
  throw new ConfigurationError([
    `${file} holds no key of ${instanceKeyLengthMin} characters or more: put the right file back, or set GATELEG_KEY to the key.`,
  ])
}

/**
 * Throws a ConfigurationError when a data directory has data without their key, or a key without its data, because
 * starting over would lose one or the other.
 */
export async function requireBothHalves(dataDir: string): Promise<void> {
  const file = databaseFile(dataDir)
  const hasKey = readInstanceKey(dataDir) !== undefined
  if (!existsSync(file)) {
    if (!hasKey) return
    throw new ConfigurationError([
      `${dataDir} holds an instance.key but no gateleg.db: put the database back (gateleg restore does, from a backup), or move instance.key away to begin with an empty workspace.`,
    ])
  }
  if (hasKey || !(await readFileFacts(file)).isBegun) return
  throw new ConfigurationError([
    `${dataDir} holds data but no instance.key: put the file back, or set GATELEG_KEY to the key.`,
  ])
}

/**
 * Returns the instance key of a data directory, and creates it when there is none. Call it once the database exists
 * and is locked, so that the next start can continue whenever the program ends in between.
 */
export function keepInstanceKey(dataDir: string): string {
  const known = readInstanceKey(dataDir)
  if (known !== undefined) return known
  const key = NodeSecrets.newInstanceKey()
  writeInstanceKey(dataDir, key)
  return key
}

/** Writes the key file of a data directory, completely or not at all. */
export function writeInstanceKey(dataDir: string, key: string): void {
  const part = `${keyFile(dataDir)}.part`
  writeFileSync(part, `${key}\n`, { mode: 0o600, flush: true })
  renameSync(part, keyFile(dataDir))
  syncFolder(dataDir)
}

import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFileFacts } from '@gateleg/adapters-sqlite/file/read-file-facts'
import { syncFolder } from '@gateleg/adapters-sqlite/file/write-copy'
import { instanceKeyLengthMin } from '@gateleg/engine/instance-key'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { ConfigurationError } from '../configuration/configuration.ts'
import { databaseFile, suffixBefore } from './data-directory.ts'

/** The file of a data directory that holds its instance key. */
export function keyFile(dataDir: string): string {
  return join(dataDir, 'instance.key')
}

/** The file that holds the key which a data directory is about to have, while its key is changed. */
function nextKeyFile(dataDir: string): string {
  return `${keyFile(dataDir)}.next`
}

/** Reads the key from a data directory; undefined when there is none. Throws for a file that isn't a key. */
export function readInstanceKey(dataDir: string): string | undefined {
  return readKeyIn(keyFile(dataDir))
}

/**
 * Reads the key of the data with the fingerprint, from the directory of the data: the one that they are about to have where
 * a change of the key was interrupted at its end, else the one that is there.
 */
export function readKeyOf(dataDir: string, fingerprint: string | undefined): string | undefined {
  const next = readKeyIn(nextKeyFile(dataDir))
  return next !== undefined && isKeyOf(fingerprint, next) ? next : readInstanceKey(dataDir)
}

/** Whether it is the key of the data with the fingerprint. */
export function isKeyOf(fingerprint: string | undefined, key: string): boolean {
  return fingerprint === NodeSecrets.fingerprintOf(key)
}

/** Says that a key is not that of the data. */
export function foreignKey(): ConfigurationError {
  return new ConfigurationError([
    'The key is not the one that the data was created with: look at instance.key and GATELEG_KEY.',
  ])
}

function readKeyIn(file: string): string | undefined {
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
export async function keepInstanceKey(dataDir: string): Promise<string> {
  finishRotation(dataDir, (await readFileFacts(databaseFile(dataDir))).keyFingerprint)
  const known = readInstanceKey(dataDir)
  if (known !== undefined) return known
  const key = NodeSecrets.newInstanceKey()
  writeInstanceKey(dataDir, key)
  return key
}

/** The file that holds the key which a data directory is about to have, while a backup is put there. */
export function restoredKeyFile(dataDir: string): string {
  return `${keyFile(dataDir)}.restored`
}

/** Writes that file, completely or not at all. */
export function writeRestoredKey(dataDir: string, key: string): void {
  writeKey(restoredKeyFile(dataDir), key)
}

/** Writes the key file of a data directory, completely or not at all. */
export function writeInstanceKey(dataDir: string, key: string): void {
  writeKey(keyFile(dataDir), key)
}

/**
 * Returns the key that the data are to have next, which is on disk before anything is sealed under it. One that an
 * interrupted change left is taken again: no key is lost that something may be sealed under.
 */
export function keepNextKey(dataDir: string): string {
  const left = readKeyIn(nextKeyFile(dataDir))
  if (left !== undefined) return left
  const key = NodeSecrets.newInstanceKey()
  writeKey(nextKeyFile(dataDir), key)
  return key
}

/**
 * Puts the next key in the place of the one before where the data with the fingerprint have it already, and keeps the one
 * before under another name, which is returned; undefined where there is nothing to do. The directory has a key at every
 * moment.
 */
export function finishRotation(
  dataDir: string,
  fingerprint: string | undefined,
): string | undefined {
  const next = readKeyIn(nextKeyFile(dataDir))
  if (next === undefined || !isKeyOf(fingerprint, next)) return undefined
  const file = keyFile(dataDir)
  const before = readKeyIn(file)
  const aside = `${file}${suffixBefore('rotation', dataDir)}`
  if (before !== undefined) writeKey(aside, before)
  renameSync(nextKeyFile(dataDir), file)
  syncFolder(dataDir)
  return aside
}

/** Writes a file with a key, completely or not at all. */
function writeKey(file: string, key: string): void {
  const part = `${file}.part`
  writeFileSync(part, `${key}\n`, { mode: 0o600, flush: true })
  renameSync(part, file)
  syncFolder(dirname(file))
}

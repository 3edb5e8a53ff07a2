import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { ConfigurationError } from './configuration.ts'

/** The SQLite file of a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'gateleg.db')
}

/** The instance key of a data directory; makes one when the directory has neither a key nor data. */
export function keepInstanceKey(dataDir: string): string {
  const file = join(dataDir, 'instance.key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (existsSync(databaseFile(dataDir))) {
    throw new ConfigurationError([
      `${dataDir} holds data but no instance.key: put the file back, or set GATELEG_KEY to the key.`,
    ])
  }
  const key = NodeSecrets.newInstanceKey()
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
  syncFolder(dataDir)
  return key
}

/** Has the entry of a new file on the disk: what is sealed with the key must not outlive it. */
function syncFolder(folder: string): void {
  // Windows syncs entries by itself, and has no way to ask for it.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

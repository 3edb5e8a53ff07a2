import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  return key
}

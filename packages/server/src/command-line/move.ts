import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { movingFromFile, movingToFile } from '@gateleg/adapters-sqlite/file/moving-file'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { findKeptKey, type Moved, moveStorage } from '@gateleg/sql/moving/move-storage'
import {
  type Configuration,
  ConfigurationError,
  type DatabaseAddress,
} from '../configuration/configuration.ts'
import { explainingFailures } from '../configuration/operator-errors.ts'
import {
  attachmentsFolder,
  databaseFile,
  prepareDataDirectory,
} from '../data-directory/data-directory.ts'
import { copyNamedFiles } from '../data-directory/files-of-backup.ts'
import { keyFile, readInstanceKey, writeInstanceKey } from '../data-directory/instance-key-file.ts'
import { nameOf } from '../opening/opening-storage.ts'
import { keyOf, uploadedFiles } from './backup.ts'

type Place = Pick<Configuration, 'database' | 'dataDir' | 'instanceKey' | 's3'>

const isDatabase = (to: string) => /^postgres(ql)?:\/\//.test(to)

/** What digests come of depends on no key. */
const secrets = new NodeSecrets(NodeSecrets.newInstanceKey())
const digester = () => secrets.digester()

/**
 * Moves all data to the other kind of storage: from the configured file to a database, or from the configured
 * database to a directory. The source stays as it is. Returns what was done, in words. Throws a ConfigurationError
 * that says why it can't; the move can be tried again then.
 */
export function move(configuration: Place, to: string): Promise<string> {
  if (configuration.database) {
    if (isDatabase(to)) {
      throw new ConfigurationError([
        'DATABASE_URL and --to both name a PostgreSQL database: move it with pg_dump and pg_restore, which come with PostgreSQL (docs/backup.md tells how).',
      ])
    }
    return toDirectory(configuration, configuration.database, to)
  }
  if (!isDatabase(to)) {
    throw new ConfigurationError([
      '--to names a directory, and the data are in a directory already: use gateleg backup and gateleg restore, or set DATABASE_URL to the database that they are to be moved from.',
    ])
  }
  return toDatabase(configuration, { connectionString: to, poolSize: 1 })
}

async function toDatabase(configuration: Place, database: DatabaseAddress): Promise<string> {
  const { dataDir, instanceKey, s3 } = configuration
  const file = databaseFile(dataDir)
  if (!existsSync(file)) {
    throw new ConfigurationError([`There is no ${file} to move: look at DATA_DIR.`])
  }
  const { movingDatabase } = await import('@gateleg/adapters-postgres/database/moving-database')
  return explainingFailures(
    async () => {
      const key = await keyOf(configuration)
      const keptKey = instanceKey === undefined ? key : undefined
      const moved = await movingFromFile(file, (from) =>
        movingDatabase(database, 'to', (to) => moveStorage(from, to, { digester, keptKey })),
      )
      const about =
        instanceKey === undefined ? 'The instance key is in it.' : 'Keep GATELEG_KEY set.'
      return `${toWords(moved)} are in ${nameOf(database)}, and were compared. ${about}
Start the server with DATABASE_URL set to it, and with the same DATA_DIR${s3 ? ' and bucket' : ''}: the uploaded files stay there.
${file} was left as it is.
`
    },
    { databaseIn: '--to' },
  )
}

async function toDirectory(
  { dataDir, instanceKey, s3 }: Place,
  database: DatabaseAddress,
  directory: string,
): Promise<string> {
  const file = databaseFile(directory)
  if (existsSync(file)) {
    throw new ConfigurationError([
      `${file} exists already, and nothing is moved over it: choose another directory.`,
    ])
  }
  const { movingDatabase } = await import('@gateleg/adapters-postgres/database/moving-database')
  return explainingFailures(async () => {
    prepareDataDirectory(directory)
    const moved = await movingDatabase(database, 'from', async (from) => {
      const key = instanceKey ?? (await findKeptKey(from))
      requireKeyFor(directory, key)
      return movingToFile(file, async (to) => {
        const moved = await moveStorage(from, to, { digester, keptKey: undefined })
        if (!s3) copyUploadedFiles(dataDir, directory)
        // Before the file has its name: data without their key would be of no use.
        if (instanceKey === undefined && key !== undefined) writeInstanceKey(directory, key)
        return moved
      })
    })
    const [source, target] = [attachmentsFolder(dataDir), attachmentsFolder(directory)]
    const files = s3 ? undefined : await copyNamedFiles(file, { from: source, to: target })
    const besides = [
      files ? uploadedFiles(files.copied) : [],
      instanceKey === undefined ? 'the instance key' : [],
    ].flat()
    const beside = besides.length === 0 ? '' : `, with ${besides.join(' and ')}`
    const lost = files?.missing
      ? `Warning: ${uploadedFiles(files.missing)} could not be copied: not in ${source}, or damaged. Where that is not the DATA_DIR of the server, copy its attachments to ${target}, too.\n`
      : ''
    return `${toWords(moved)} are in ${directory}, and were compared${beside}.
${lost}Start the server with DATA_DIR set to it, and without DATABASE_URL${s3 ? '; the uploaded files stay in the bucket' : ''}${instanceKey === undefined ? '' : '; keep GATELEG_KEY set'}.
Nothing was changed in ${nameOf(database)}.
`
  })
}

/** Throws where the directory holds another key, or nobody has the one of the data. */
function requireKeyFor(directory: string, key: string | undefined): void {
  if (key === undefined) {
    throw new ConfigurationError([
      'The database was created with a key that is not stored in it: set GATELEG_KEY to that key.',
    ])
  }
  const present = readInstanceKey(directory)
  if (present === undefined || present === key) return
  throw new ConfigurationError([
    `${keyFile(directory)} is the key of other data: move it away, or choose another directory.`,
  ])
}

function copyUploadedFiles(from: string, to: string): void {
  const [source, target] = [attachmentsFolder(from), attachmentsFolder(to)].map((path) =>
    resolve(path),
  ) as [string, string]
  if (source === target || !existsSync(source)) return
  mkdirSync(target, { recursive: true, mode: 0o700 })
  cpSync(source, target, { recursive: true })
}

function toWords({ bases, records }: Moved): string {
  return `${bases} base${bases === 1 ? '' : 's'} with ${records} record${records === 1 ? '' : 's'}, deleted ones included,`
}

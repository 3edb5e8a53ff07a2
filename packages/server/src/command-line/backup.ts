import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { backUpFile } from '@gateleg/adapters-sqlite/file/backup-file'
import type { FileContent } from '@gateleg/adapters-sqlite/file/check-file'
import { readFileFacts } from '@gateleg/adapters-sqlite/file/read-file-facts'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { explainingFailures } from '../configuration/operator-errors.ts'
import { attachmentsFolder, databaseFile } from '../data-directory/data-directory.ts'
import {
  type CopiedFiles,
  copyNamedFiles,
  filesOfBackup,
} from '../data-directory/files-of-backup.ts'
import { foreignKey, isKeyOf, readKeyOf } from '../data-directory/instance-key-file.ts'

type Place = Pick<Configuration, 'database' | 'dataDir' | 'instanceKey' | 's3'>

/**
 * Writes a backup of the configured SQLite file to a new file; a server may run meanwhile. Returns what was written,
 * in words. Throws a ConfigurationError that says why it can't.
 */
export async function backUp(
  configuration: Place,
  { file, isWithKey }: { readonly file: string; readonly isWithKey: boolean },
): Promise<string> {
  refusePostgres(configuration)
  const source = databaseFile(configuration.dataDir)
  if (!existsSync(source)) {
    throw new ConfigurationError([`There is no ${source} to back up: look at DATA_DIR.`])
  }
  refuseAmongAttachments(configuration, file)
  return explainingFailures(async () => {
    const key = isWithKey ? await keyOf(configuration) : undefined
    let files: CopiedFiles | undefined
    const copyFiles = async (copy: string) => {
      await requireKeyOfCopy(copy, key)
      if (configuration.s3) return
      const folder = attachmentsFolder(configuration.dataDir)
      files = await copyNamedFiles(copy, { from: folder, to: filesOfBackup(file) })
    }
    const content = await refusingExisting(file, () => backUpFile(source, file, key, copyFiles))
    const about = isWithKey
      ? 'The instance key is in it: whoever has the file can read everything.\n'
      : 'The instance key is not in it: keep a copy of the key, too, in another place.\n'
    return `${file} is written and checked: ${toWords(content)}.\n${aboutFiles(file, files)}${about}`
  })
}

/** Throws a ConfigurationError where the backup would lie among the uploaded files: none can be restored from there. */
function refuseAmongAttachments({ dataDir }: Place, file: string): void {
  const attachments = attachmentsFolder(dataDir)
  const folder = dirname(resolve(file))
  if (!existsSync(attachments) || !existsSync(folder)) return
  const isAmong = join(realpathSync(folder), sep).startsWith(join(realpathSync(attachments), sep))
  if (!isAmong) return
  throw new ConfigurationError([
    `${file} lies in ${attachments}, which is for the uploaded files alone: choose another place.`,
  ])
}

/** Throws a ConfigurationError where the data got another key while they were copied. */
async function requireKeyOfCopy(copy: string, key: string | undefined): Promise<void> {
  if (key === undefined) return
  const { keyFingerprint } = await readFileFacts(copy)
  if (keyFingerprint === undefined || isKeyOf(keyFingerprint, key)) return
  throw new ConfigurationError(['The key was changed meanwhile: make the backup again.'])
}

function aboutFiles(file: string, files: CopiedFiles | undefined): string {
  if (!files) return 'The uploaded files are in the bucket, and are not part of the backup.\n'
  const { copied, missing } = files
  const lost =
    missing === 0
      ? ''
      : `Warning: ${uploadedFiles(missing)} could not be copied: not there, or damaged.\n`
  if (copied === 0) return lost
  const are = copied === 1 ? 'is' : 'are'
  return `${uploadedFiles(copied)} ${are} beside it in ${filesOfBackup(file)}, which belongs to it.\n${lost}`
}

/** So many uploaded files, in words. */
export function uploadedFiles(count: number): string {
  return count === 1 ? '1 uploaded file' : `${count} uploaded files`
}

/** Throws a ConfigurationError that says how a PostgreSQL database is backed up. */
export function refusePostgres({ database }: Pick<Place, 'database'>): void {
  if (!database) return
  throw new ConfigurationError([
    'DATABASE_URL names a PostgreSQL database: back it up with pg_dump and put it back with pg_restore, which come with PostgreSQL (docs/backup.md tells how).',
  ])
}

/** Describes the content of a file in words. */
export function toWords({ version, counts }: FileContent): string {
  if (!counts) return `a workspace of the older version ${version}, which the next server upgrades`
  const { bases, records } = counts
  return `${bases} base${bases === 1 ? '' : 's'} with ${records} record${records === 1 ? '' : 's'}, deleted ones included`
}

/**
 * Returns the key with which the data in the directory were created; throws a ConfigurationError where it is missing.
 */
export async function keyOf({ dataDir, instanceKey }: Place): Promise<string> {
  const { keyFingerprint } = await readFileFacts(databaseFile(dataDir))
  const key = instanceKey ?? readKeyOf(dataDir, keyFingerprint)
  if (key === undefined) {
    throw new ConfigurationError([
      `There is no instance.key in ${dataDir}: put it there, or set GATELEG_KEY to the key.`,
    ])
  }
  if (keyFingerprint === undefined || isKeyOf(keyFingerprint, key)) return key
  throw foreignKey()
}

async function refusingExisting<T>(file: string, work: () => Promise<T>): Promise<T> {
  const refusal = new ConfigurationError([
    `${file} exists already, and no backup is written over another file: choose another name.`,
  ])
  if (existsSync(file)) throw refusal
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) {
    throw new ConfigurationError([
      `There is no directory ${folder} to write the backup to: make it, or choose another place.`,
    ])
  }
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw refusal
    if (code === undefined || syscall === undefined) throw error
    throw new ConfigurationError([`${file} can't be written (${code}): choose another place.`])
  }
}

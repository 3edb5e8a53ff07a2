import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { restoreFile } from '@gateleg/adapters-sqlite/file/backup-file'
import { checkFile } from '@gateleg/adapters-sqlite/file/check-file'
import { holdFile } from '@gateleg/adapters-sqlite/file/file-lock'
import { hasLog } from '@gateleg/adapters-sqlite/file/has-log'
import { readFileFacts } from '@gateleg/adapters-sqlite/file/read-file-facts'
import { syncFolder } from '@gateleg/adapters-sqlite/file/write-copy'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { type Configuration, ConfigurationError } from '../configuration/configuration.ts'
import { explainingFailures } from '../configuration/operator-errors.ts'
import {
  attachmentsFolder,
  databaseFile,
  prepareDataDirectory,
  suffixBefore,
} from '../data-directory/data-directory.ts'
import { copyNamedFiles, filesOfBackup, keepFilesAside } from '../data-directory/files-of-backup.ts'
import {
  keyFile,
  readInstanceKey,
  restoredKeyFile,
  writeRestoredKey,
} from '../data-directory/instance-key-file.ts'
import { refusePostgres, toWords, uploadedFiles } from './backup.ts'

type Place = Pick<Configuration, 'database' | 'dataDir' | 'instanceKey' | 's3'>

/**
 * Replaces the configured data, which no server may be using, by a backup, and sets the old data aside. Returns what
 * was done, in words. Throws a ConfigurationError that says why it can't, and then has changed nothing.
 */
export async function restore(configuration: Place, backup: string): Promise<string> {
  refusePostgres(configuration)
  if (!existsSync(backup)) throw new ConfigurationError([`There is no file ${backup}.`])
  if (!statSync(backup).isFile()) {
    throw new ConfigurationError([`${backup} is no file: name the file that gateleg backup wrote.`])
  }
  const warning = warningOf(backup)
  const { dataDir } = configuration
  const file = databaseFile(dataDir)
  return explainingFailures(
    async () => {
      const content = await checkFile(backup)
      prepareDataDirectory(dataDir)
      const letGo = holdFile(file)
      try {
        const newKey = await findNewKey(configuration, backup)
        // All that takes room on the disk is written before anything is replaced.
        if (newKey !== undefined) writeRestoredKey(dataDir, newKey)
        const suffix = suffixBefore('restore', dataDir)
        const aside = existsSync(file) ? [`${file}${suffix}`] : []
        if (aside.length > 0) aside.push(...(await keepFiles(configuration, `${file}${suffix}`)))
        // Files that nothing names do no harm: should the rest fail, nothing has changed.
        const files = await restoreFiles(configuration, backup)
        await restoreFile(backup, file, `${file}${suffix}`)
        if (newKey !== undefined) aside.push(...replaceKey(dataDir, suffix))
        return `${dataDir} holds the backup ${backup}: ${toWords(content)}.\n${aside
          .map((name) => `What was there is kept as ${name}.\n`)
          .join('')}${files}${warning}`
      } finally {
        rmSync(restoredKeyFile(dataDir), { force: true })
        letGo()
      }
    },
    { filesIn: dataDir },
  )
}

/**
 * What there is to say of a file that no backup is: one that a server wrote, copied by itself. Before anything opens it, which
 * could make the log that it came without.
 */
function warningOf(backup: string): string {
  if (!hasLog(backup) || existsSync(`${backup}-wal`)) return ''
  return `Warning: ${backup} is a copy of gateleg.db, not a backup. If a server was using that file when it was copied, what was in gateleg.db-wal is missing.\n`
}

/**
 * Keeps the uploaded files beside the data that are set aside under the name: a server on the backup removes those that its own
 * data don't name. Answers the folder, where there are any.
 */
async function keepFiles({ dataDir, s3 }: Place, name: string): Promise<string[]> {
  if (s3) return []
  const to = filesOfBackup(name)
  return (await keepFilesAside({ from: attachmentsFolder(dataDir), to })) ? [to] : []
}

/** Puts the uploaded files back that lie beside the backup; answers what there is to say of them. */
async function restoreFiles({ dataDir, s3 }: Place, backup: string): Promise<string> {
  if (s3) return 'The uploaded files are those of the bucket.\n'
  const folder = filesOfBackup(backup)
  const to = attachmentsFolder(dataDir)
  const { copied, missing } = await copyNamedFiles(backup, { from: folder, to })
  const back =
    copied === 0 ? '' : `${uploadedFiles(copied)} of it ${copied === 1 ? 'is' : 'are'} in ${to}.\n`
  if (missing === 0) return back
  const lost =
    missing === 1
      ? 'is not there or is damaged: it belongs'
      : 'are not there or are damaged: they belong'
  return `${back}Warning: ${uploadedFiles(missing)} ${lost} in ${folder}.\n`
}

/**
 * The key that the data directory is to have: the one in the backup, unless it has that, or one is
 * configured. Throws a ConfigurationError when the key of the backup is not at hand.
 */
async function findNewKey(
  { dataDir, instanceKey }: Place,
  backup: string,
): Promise<string | undefined> {
  const { key: enclosed, keyFingerprint } = await readFileFacts(backup)
  const present = readInstanceKey(dataDir)
  const key = instanceKey ?? enclosed ?? present
  if (key === undefined) {
    throw new ConfigurationError([
      `${backup} holds no instance key, and neither does ${dataDir}: put the instance.key of the backup there, or set GATELEG_KEY to it.`,
    ])
  }
  if (keyFingerprint !== undefined && keyFingerprint !== NodeSecrets.fingerprintOf(key)) {
    if (instanceKey !== undefined && enclosed !== undefined) {
      throw new ConfigurationError([
        `${backup} holds a key of its own, and GATELEG_KEY is another one: unset GATELEG_KEY, for the restore and for the server.`,
      ])
    }
    const aside = keyAsideOf(backup)
    const place = aside !== undefined && existsSync(aside) ? `, which is ${aside},` : ''
    throw new ConfigurationError([
      `${backup} was made with another key: put the instance.key of that time${place} into ${dataDir}, or set GATELEG_KEY to it.`,
    ])
  }
  return instanceKey === undefined && key !== present ? key : undefined
}

/** Where a restore keeps the key of data that it sets aside under that name; undefined for any other name. */
function keyAsideOf(backup: string): string | undefined {
  const name = basename(databaseFile(''))
  const suffix = basename(backup).slice(name.length)
  const isAside = basename(backup) === `${name}${suffix}` && suffix.startsWith('.before-')
  return isAside ? `${keyFile(dirname(backup))}${suffix}` : undefined
}

/** Puts the key that was written beside that of a data directory in its place; answers under which name the one before is kept. */
function replaceKey(dataDir: string, suffix: string): string[] {
  const file = keyFile(dataDir)
  const aside = `${file}${suffix}`
  const hasOne = existsSync(file)
  if (hasOne) renameSync(file, aside)
  renameSync(restoredKeyFile(dataDir), file)
  syncFolder(dataDir)
  return hasOne ? [aside] : []
}

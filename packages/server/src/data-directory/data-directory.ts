import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigurationError } from '../configuration/configuration.ts'

/** The SQLite file of a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'gateleg.db')
}

/** The folder of a data directory that holds the uploaded files. */
export function attachmentsFolder(dataDir: string): string {
  return join(dataDir, 'attachments')
}

/**
 * How the names of files of the data directory end that are kept from before something is done to them, now. No file there ends so
 * yet: what was done twice in a second is kept twice.
 */
export function suffixBefore(what: 'restore' | 'rotation', dataDir: string): string {
  const taken = readdirSync(dataDir)
  const now = `.before-${what}-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
  let suffix = now
  for (let count = 2; taken.some((name) => name.includes(suffix)); count++) {
    suffix = `${now}-${count}`
  }
  return suffix
}

/** What the files of a data directory are called, those beside the database and set aside included. */
const ownNames = /^(gateleg\.db|instance\.key|attachments$)/

const othersMayDo = 0o077

/**
 * Creates the data directory, or checks that an existing one can be used, and makes its files readable by their owner
 * only. Returns sentences about files for which that failed. Throws a ConfigurationError for a path that can't be a
 * data directory.
 */
export function prepareDataDirectory(dataDir: string): readonly string[] {
  try {
    makeDirectory(resolve(dataDir))
    const names = readdirSync(dataDir)
    const own = names.filter((name) => ownNames.test(name)).map((name) => join(dataDir, name))
    for (const path of [dataDir, ...own]) accessSync(path, constants.R_OK | constants.W_OK)
    // Windows has rights of another kind.
    if (process.platform === 'win32') return []
    const warnings = own.flatMap((path) =>
      close(path, statSync(path).isDirectory() ? 0o700 : 0o600),
    )
    // A directory of other things, be it /tmp, is not ours to close.
    if (own.length === names.length) return [...warnings, ...close(dataDir, 0o700)]
    return isOpen(dataDir) ? [...warnings, openSentence(dataDir, 0o700)] : warnings
  } catch (error) {
    throw toConfigurationError(dataDir, error)
  }
}

/**
 * Makes the directory and those above it that are missing, one by one: Node's own way of making them all never
 * ends where the system answers that what is above is missing though it is there, as below /proc.
 */
function makeDirectory(path: string): void {
  const missing: string[] = []
  for (let level = path; !existsSync(level); level = dirname(level)) missing.unshift(level)
  for (const level of missing) {
    try {
      mkdirSync(level, { mode: 0o700 })
    } catch (error) {
      // Another server was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR', path })
}

/** Takes the rights of others away; answers a sentence when that can't be done. */
function close(path: string, mode: number): string[] {
  if (!isOpen(path)) return []
  try {
    chmodSync(path, mode)
    return []
  } catch {
    // Somebody else owns it: only they can.
    return [openSentence(path, mode)]
  }
}

function isOpen(path: string): boolean {
  return (statSync(path).mode & othersMayDo) !== 0
}

function openSentence(path: string, mode: number): string {
  return `Other users of this machine may be able to open ${path}: "chmod ${mode.toString(8)}" closes it to them.`
}

function toConfigurationError(dataDir: string, error: unknown): unknown {
  const { code, path = dataDir } = error as NodeJS.ErrnoException
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return new ConfigurationError([
      `DATA_DIR is ${dataDir}, which is a file or lies in one: it must be a directory.`,
    ])
  }
  if (code === undefined) return error
  return new ConfigurationError([
    `The server must be able to read and write ${path}, and can't (${code}): give its user the right to, or choose another DATA_DIR.`,
  ])
}

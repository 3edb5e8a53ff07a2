import { parseArgs } from 'node:util'
import { isOneLetterOff } from '@gateleg/domain/values/is-one-letter-off'
import { ConfigurationError } from '../configuration/configuration.ts'
import {
  isTransfer,
  readTransfer,
  type Transfer,
  transferCommands,
  transferOptionIn,
  transferOptions,
} from './read-transfer.ts'

/** What the program is asked to do. */
export type Request =
  | { readonly command: 'serve' | 'citus' | 'jobs' | 'rotate-key' | 'version' }
  | { readonly command: 'help'; readonly about?: string }
  | { readonly command: 'backup'; readonly file: string; readonly isWithKey: boolean }
  | { readonly command: 'restore'; readonly file: string }
  | { readonly command: 'move'; readonly to: string }
  | { readonly command: 'retry'; readonly id: string }
  | Transfer

/** What `gateleg --help` prints. */
export const helpText = `gateleg: a workspace server over SQLite or PostgreSQL

  gateleg [serve]                    serves until Ctrl-C ends it
  gateleg backup FILE [--with-key]   writes all data to a new file, while a server runs or not;
                                     with the instance key in it where that is asked for
  gateleg restore FILE               puts a backup in the place of the data, which are set aside
  gateleg move --to PLACE            moves all data to a PostgreSQL database (postgres://...), or from one to
                                     a directory; end the server first
  gateleg rotate-key                 gives the data another instance key, with which all that is encrypted is
                                     encrypted anew; end the server first
  gateleg jobs                       lists the background jobs that are parked, while a server runs or not
  gateleg jobs retry ID              has one tried again; on SQLite, end the server first
  gateleg import FILE --base BASE    imports a CSV file as a new table of a running server, or
                  [--table TABLE]    into a table, and tells what was wrong; its encoding (utf-8, utf-16le,
         [--encoding ENCODING]       utf-16be, windows-1252) and the delimiter of its cells (",", ";", "|" or the
         [--delimiter DELIMITER]     word tab) are guessed where they aren't said; with --partial the rows before an
         [--partial]                 error of the file are imported
  gateleg export TABLE [--view VIEW] writes a table of a running server, or what a view shows of it,
                  [--out FILE]       as CSV
  gateleg export-base BASE FILE      writes a base of a running server to a new file, as an archive;
              [--with-history]       with who changed which cell, and with what lies in its trash,
              [--with-trash]         where that is asked for
  gateleg import-base FILE           makes a base of an archive in a space of a running server, under ids of its
        --space SPACE [--name NAME]  own or, where that is asked for, under those that it had
        [--same-ids]
  gateleg citus                      prints the script that makes the PostgreSQL database a distributed one
  gateleg help, --help, --version

It reads its settings from the environment (PORT, DATA_DIR, DATABASE_URL, ...) and nothing else:
docs/configuration.md names them all. The data are in ./data where nothing else is said.
`

/** What `gateleg COMMAND --help` prints: the part about the command, between the first and the last lines of all. */
export function helpAbout(command: string): string {
  const [title = '', ...parts] = helpText.split(/\n(?= {2}gateleg |\nIt reads)/)
  const isAbout = (part: string) => new RegExp(`^ {2}gateleg \\[?${command}(?![\\w-])`).test(part)
  return [title, ...parts.filter(isAbout), parts.at(-1) ?? ''].join('\n')
}

const hint = 'gateleg --help lists the commands and options'

/** Reads the arguments of the program. Throws a ConfigurationError for arguments that it doesn't know. */
export function readCommandLine(args: readonly string[]): Request {
  const { values, positionals } = parse(args)
  const [command = 'serve', ...files] = positionals
  const about = command === 'help' ? files[0] : positionals[0]
  if (values.help || command === 'help') {
    if (about === undefined || about === 'help') return { command: 'help' }
    if (commands.includes(about)) return { command: 'help', about }
    throw new ConfigurationError([`${notKnown(about)}${hint}.`])
  }
  if (values.version) return { command: 'version' }
  if (isTransfer(command)) return readTransfer(command, files, values, hint)
  if (command === 'move') return readMove(files, values)
  if (values.to !== undefined) {
    throw new ConfigurationError([`--to belongs to gateleg move: ${hint}.`])
  }
  const ofTransfers = transferOptionIn(values)
  if (ofTransfers !== undefined) {
    throw new ConfigurationError([
      `--${ofTransfers} belongs to the commands that import or export: ${hint}.`,
    ])
  }
  if (command === 'backup' || command === 'restore') {
    const [file] = files
    if (file === undefined || files.length > 1) {
      throw new ConfigurationError([`gateleg ${command} takes the name of one file: ${hint}.`])
    }
    if (command === 'backup') return { command, file, isWithKey: values['with-key'] ?? false }
    if (!values['with-key']) return { command, file }
  } else if (isAlone(command) && files.length === 0) {
    if (!values['with-key']) return { command }
  } else if (command === 'jobs') {
    if (!values['with-key']) return readJobs(files)
  } else {
    const takes =
      'It takes one of these: gateleg serve (or no word at all), gateleg backup FILE, gateleg restore FILE, gateleg move --to PLACE, gateleg rotate-key, gateleg jobs, gateleg import FILE, gateleg export TABLE, gateleg export-base BASE FILE, gateleg import-base FILE, gateleg citus'
    throw new ConfigurationError([`${notKnown(command)}${takes}. ${hint}.`])
  }
  throw new ConfigurationError([`--with-key belongs to gateleg backup: ${hint}.`])
}

/** Whether it is a command that takes no words. */
function isAlone(command: string): command is 'serve' | 'citus' | 'rotate-key' {
  return command === 'serve' || command === 'citus' || command === 'rotate-key'
}

const commands = [
  ...['serve', 'backup', 'restore', 'move', 'rotate-key', 'jobs', 'citus', 'help'],
  ...transferCommands,
]

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  'with-key': { type: 'boolean' },
  to: { type: 'string' },
  ...transferOptions,
} as const

function readMove(
  files: readonly string[],
  { to, ...others }: Readonly<Record<string, unknown>>,
): Request {
  if (
    typeof to === 'string' &&
    to !== '' &&
    files.length === 0 &&
    Object.keys(others).length === 0
  ) {
    return { command: 'move', to }
  }
  throw new ConfigurationError([
    `gateleg move takes --to and where the data are to be moved, and nothing else: ${hint}.`,
  ])
}

function readJobs([verb, id, ...more]: readonly string[]): Request {
  if (verb === undefined) return { command: 'jobs' }
  if (verb === 'retry' && id !== undefined && more.length === 0) return { command: 'retry', id }
  throw new ConfigurationError([
    `gateleg jobs takes nothing, or "retry" and the id of one job: ${hint}.`,
  ])
}

/** Says of a command that there is none; empty for one that there is. */
function notKnown(command: string): string {
  if (commands.includes(command)) return ''
  return guessOf(command, commands) || `"${command}" is not known. `
}

/** What a word was meant to be, as a sentence; empty when it is like none of those. */
function guessOf(word: string, known: readonly string[], before = ''): string {
  const meant = known.find((other) => isOneLetterOff(word, other))
  return meant === undefined ? '' : `"${before}${word}" is not known: is ${before}${meant} meant? `
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options,
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error
    const [, option = ''] = /^Unknown option '--([^']*)'/.exec(message) ?? []
    const guess = guessOf(option, Object.keys(options), '--')
    const said = guess === '' ? `${message.split('.')[0]}: ` : guess
    throw new ConfigurationError([`${said}${hint}.`])
  }
}

import { ConfigurationError } from '../configuration/configuration.ts'

/** A file that goes to a running server, or comes from one. */
export type Transfer =
  | {
      readonly command: 'import'
      readonly file: string
      readonly baseId: string
      /** The table that the rows go into; undefined for a new one. */
      readonly tableId: string | undefined
      /** How the file is written, as the operation takes it; what isn't said is guessed. */
      readonly encoding: string | undefined
      readonly delimiter: string | undefined
      /** Whether the rows before an error of the file are imported. */
      readonly partial: boolean
    }
  | {
      readonly command: 'export'
      readonly tableId: string
      readonly viewId: string | undefined
      /** Undefined for the standard output. */
      readonly out: string | undefined
    }
  | {
      readonly command: 'export-base'
      readonly baseId: string
      readonly file: string
      /** Whether it comes along who changed which cell. */
      readonly withHistory: boolean
      /** Whether the trash of the base and of its tables comes along. */
      readonly withTrash: boolean
    }
  | {
      readonly command: 'import-base'
      readonly file: string
      readonly spaceId: string
      /** Undefined for the name that the archive says. */
      readonly name: string | undefined
      /** Whether all keeps the ids that it has in the archive. */
      readonly sameIds: boolean
    }

/** The options of a transfer besides its file, table or base. */
export const transferOptions = {
  base: { type: 'string' },
  table: { type: 'string' },
  encoding: { type: 'string' },
  delimiter: { type: 'string' },
  partial: { type: 'boolean' },
  view: { type: 'string' },
  out: { type: 'string', short: 'o' },
  space: { type: 'string' },
  name: { type: 'string' },
  'with-history': { type: 'boolean' },
  'with-trash': { type: 'boolean' },
  'same-ids': { type: 'boolean' },
} as const

type TransferValues = {
  readonly [Name in keyof typeof transferOptions]?:
    | ((typeof transferOptions)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined
}

const names = Object.keys(transferOptions) as (keyof typeof transferOptions)[]

/** Which of them each command takes. */
const taken: Readonly<Record<Transfer['command'], readonly string[]>> = {
  import: ['base', 'table', 'encoding', 'delimiter', 'partial'],
  export: ['view', 'out'],
  'export-base': ['with-history', 'with-trash'],
  'import-base': ['space', 'name', 'same-ids'],
}

/** The commands of transfers. */
export const transferCommands: readonly string[] = Object.keys(taken)

/** Whether the word is a command of transfers. */
export function isTransfer(word: string): word is Transfer['command'] {
  return Object.hasOwn(taken, word)
}

/** The first of the given options that only transfers take. */
export function transferOptionIn(values: TransferValues): string | undefined {
  return names.find((name) => values[name] !== undefined)
}

/** Reads the arguments of a transfer. Throws a ConfigurationError for arguments that it doesn't know. */
export function readTransfer(
  command: Transfer['command'],
  words: readonly string[],
  values: TransferValues,
  hint: string,
): Transfer {
  const [word, second, ...more] = words
  const strange = names.find((name) => values[name] !== undefined && !taken[command].includes(name))
  if (strange !== undefined) {
    throw new ConfigurationError([`gateleg ${command} takes no --${strange}: ${hint}.`])
  }
  const takes = (what: string) =>
    new ConfigurationError([`gateleg ${command} takes ${what}: ${hint}.`])
  if (command === 'export-base') {
    if (word === undefined || second === undefined || more.length > 0) {
      throw takes('the id of one base, and the name of a new file')
    }
    const { 'with-history': withHistory = false, 'with-trash': withTrash = false } = values
    return { command, baseId: word, file: second, withHistory, withTrash }
  }
  const isOne = word !== undefined && second === undefined
  if (command === 'export') {
    if (!isOne) throw takes('the id of one table')
    return { command, tableId: word, viewId: values.view, out: values.out }
  }
  if (command === 'import-base') {
    const { space: spaceId, name } = values
    if (!isOne || spaceId === undefined) {
      throw takes('the name of one file, and --space with the id of a space')
    }
    return { command, file: word, spaceId, name, sameIds: values['same-ids'] ?? false }
  }
  if (!isOne || values.base === undefined) {
    throw takes('the name of one file, and --base with the id of a base')
  }
  const { base: baseId, table: tableId, encoding, partial = false } = values
  // A shell makes it hard to write one.
  const delimiter = values.delimiter === 'tab' ? '\t' : values.delimiter
  return { command, file: word, baseId, tableId, encoding, delimiter, partial }
}

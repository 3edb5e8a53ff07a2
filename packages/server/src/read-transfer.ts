import { ConfigurationError } from './configuration.ts'

/** A file that goes to a running server, or comes from one. */
export type Transfer =
  | {
      readonly command: 'import'
      readonly file: string
      readonly baseId: string
      /** The table that the rows go into; undefined for a new one. */
      readonly tableId: string | undefined
    }
  | {
      readonly command: 'export'
      readonly tableId: string
      readonly viewId: string | undefined
      /** Undefined for the standard output. */
      readonly out: string | undefined
    }

/** What may be said of a transfer beside its file or table. */
export const transferOptions = {
  base: { type: 'string' },
  table: { type: 'string' },
  view: { type: 'string' },
  out: { type: 'string', short: 'o' },
} as const

type TransferValues = { readonly [Name in keyof typeof transferOptions]?: string | undefined }

const names = Object.keys(transferOptions) as (keyof typeof transferOptions)[]

/** Whether options of transfers are given, which no other command takes. */
export function namesTransfer(values: TransferValues): boolean {
  return names.some((name) => values[name] !== undefined)
}

/** Reads the words of `gateleg import` and `gateleg export`. Throws a ConfigurationError for what they don't take. */
export function readTransfer(
  command: Transfer['command'],
  words: readonly string[],
  values: TransferValues,
  hint: string,
): Transfer {
  const [word, ...more] = words
  const taken: readonly string[] = command === 'import' ? ['base', 'table'] : ['view', 'out']
  const strange = names.find((name) => values[name] !== undefined && !taken.includes(name))
  if (strange !== undefined) {
    throw new ConfigurationError([`gateleg ${command} takes no --${strange}: ${hint}.`])
  }
  if (command === 'export') {
    if (word === undefined || more.length > 0) {
      throw new ConfigurationError([`gateleg export takes the id of one table: ${hint}.`])
    }
    return { command, tableId: word, viewId: values.view, out: values.out }
  }
  if (word === undefined || more.length > 0 || values.base === undefined) {
    throw new ConfigurationError([
      `gateleg import takes the name of one file, and --base with the id of a base: ${hint}.`,
    ])
  }
  return { command, file: word, baseId: values.base, tableId: values.table }
}

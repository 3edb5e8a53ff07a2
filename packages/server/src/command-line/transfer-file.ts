import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@gateleg/contract/client'
import { DomainError } from '@gateleg/domain/errors'
import { ConfigurationError } from '../configuration/configuration.ts'
import type { Transfer } from './read-transfer.ts'
import { requireFree, writeNewFile } from './write-new-file.ts'

/** The server of a transfer, and the credential for it. */
interface TransferServer {
  /** With `/api` or without. */
  readonly url: string
  readonly token: string | undefined
}

/** How often it is asked how far an import is, and for how long a server may not answer that: it may start again meanwhile. */
const pauseMs = 500
const awayMsMax = 60_000

type Client = ReturnType<typeof createClient>

type CsvInput = Parameters<Client['imports']['importTable']>[0]

/**
 * Sends a file or an archive to a running server, and waits until it is imported; or downloads one from it. Returns
 * what was done, in words. Throws a ConfigurationError that says why it can't.
 */
export async function transferFile(server: TransferServer, transfer: Transfer): Promise<string> {
  const { url, token } = server
  if (token === undefined) {
    throw new ConfigurationError([
      'Set GATELEG_TOKEN to an access token of the server, and GATELEG_URL to where it is.',
    ])
  }
  const client = createClient({ baseUrl: `${withoutApi(url)}/api`, token })
  try {
    switch (transfer.command) {
      case 'import':
        return await importFile(client, transfer)
      case 'export':
        return await exportFile(client, transfer)
      case 'import-base':
        return await importBase(client, transfer)
      case 'export-base':
        return await exportBase(client, transfer)
    }
  } catch (error) {
    throw toRefusal(error)
  }
}

function toRefusal(error: unknown): unknown {
  const isTold = error instanceof DomainError || (error instanceof Error && 'code' in error)
  return isTold || isOfClient(error) ? new ConfigurationError([(error as Error).message]) : error
}

/** Whether the client found no server, or lost it. */
function isOfClient(error: unknown): boolean {
  return error instanceof Error && /^(No server answered|The answer ended)/.test(error.message)
}

async function importFile(
  { imports }: Client,
  { file, baseId, tableId, partial, ...form }: Extract<Transfer, { command: 'import' }>,
): Promise<string> {
  const content = contentOf(file)
  const { encoding, delimiter } = form as Pick<CsvInput, 'encoding' | 'delimiter'>
  const sent: CsvInput = {
    ...{ baseId, content, partial },
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter }),
  }
  const name = basename(file)
    .replace(/\.csv$/i, '')
    .trim()
    .slice(0, 100)
  let state =
    tableId === undefined
      ? await imports.importTable({ ...sent, ...(name !== '' && { name }) })
      : await imports.importRecords({ ...sent, tableId })
  while (state.state === 'running') {
    await wait(pauseMs)
    state = await findImport(imports, { baseId, importId: state.id })
  }
  const issues = state.issues.map(({ line, field, message }) => {
    const place = field === undefined ? `line ${line}` : `line ${line}, ${field}`
    return `  ${place}: ${message}\n`
  })
  const { rowsCreated, rowsRead, rowsLeftOut, cellsEmptied } = state
  const words = `${rowsCreated} of ${rowsRead} rows are records of the table ${state.tableId} now; ${rowsLeftOut} were left out, ${cellsEmptied} cells emptied.\n${issues.join('')}`
  if (state.state === 'failed') throw new ConfigurationError([words.trimEnd()])
  return words
}

/** How far an import is. Whoever hears that it can't be asked would send the file again: a server that is away is waited for. */
async function findImport(
  { getImport }: Client['imports'],
  which: { readonly baseId: string; readonly importId: string },
) {
  for (const untilMs = performance.now() + awayMsMax; ; await wait(pauseMs)) {
    try {
      return await getImport(which)
    } catch (error) {
      if (!isAway(error)) throw error
      if (performance.now() < untilMs) continue
      const { baseId, importId } = which
      throw new ConfigurationError([
        `${(error as Error).message}. The file has arrived: don't send it again. The import ${importId} goes on when the server is back; GET /api/import/${baseId}/status/${importId} tells how far it is.`,
      ])
    }
  }
}

/** Whether the server can't be asked now, and may be later: it says so, or what stands before it does, or nobody answers. */
function isAway(error: unknown): boolean {
  if (error instanceof DomainError) return retried.has(error.code)
  return error instanceof Error && !(error instanceof ConfigurationError)
}

const retried: ReadonlySet<string> = new Set([
  'database_connection_unavailable',
  'internal_server_error',
  'request_timeout',
  'service_busy',
  'too_many_requests',
])

async function exportFile(
  { exports }: Client,
  { tableId, viewId, out }: Extract<Transfer, { command: 'export' }>,
): Promise<string> {
  if (out !== undefined) requireFree(out)
  const text = await exports.exportTable({ tableId, ...(viewId !== undefined && { viewId }) })
  if (out === undefined) {
    await pipeline(Readable.from(text), toStandardOutput())
    return ''
  }
  await writeNewFile(out, text, { mode: 0o666 })
  return `${out} is written.\n`
}

async function importBase(
  { archives }: Client,
  { file, spaceId, name, sameIds }: Extract<Transfer, { command: 'import-base' }>,
): Promise<string> {
  const content = contentOf(file)
  const named = name === undefined ? {} : { name }
  const made = await archives.importBase({ spaceId, content, sameIds, ...named })
  return `"${made.name}" is there as the base ${made.id}.\n`
}

async function exportBase(
  { archives }: Client,
  { baseId, file, withHistory, withTrash }: Extract<Transfer, { command: 'export-base' }>,
): Promise<string> {
  requireFree(file)
  // For its owner's eyes only, as a backup is: it holds everything.
  const more = { includeHistory: withHistory, includeTrash: withTrash }
  const archive = await archives.exportBase({ baseId, ...more })
  await writeNewFile(file, archive, { mode: 0o600 })
  return `${file} is written.\n`
}

function contentOf(file: string): AsyncIterable<Uint8Array> {
  requireReadable(file)
  return Readable.toWeb(createReadStream(file)) as unknown as AsyncIterable<Uint8Array>
}

/** Throws a ConfigurationError where there is nothing to read, which would be taken for a server that doesn't answer. */
function requireReadable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new ConfigurationError([`There is no file ${file}.`])
  if (found.isDirectory()) {
    throw new ConfigurationError([`${file} is a directory: name a file in it.`])
  }
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigurationError([`${file} can't be read (${code}).`])
  }
}

/** The address of a server, which people also have with the `/api` that calls have. */
function withoutApi(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/api$/, '')
}

/** The standard output, which is not to be closed. */
function toStandardOutput(): Writable {
  return new Writable({
    decodeStrings: false,
    // Where it can't be written, the program ends.
    write: (text, _encoding, done) =>
      void process.stdout.write(text, (error) => {
        if (!error) done()
      }),
  })
}

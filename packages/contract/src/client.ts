import { TextStream } from '@gateleg/domain/answers/text-stream'
import type { Api } from '@gateleg/domain/api'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { ServedFile } from '@gateleg/domain/attachments/served-file'
import { type CallOptions, requireCallOptions } from '@gateleg/domain/calls/call-options'
import { DomainError } from '@gateleg/domain/errors'
import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import { parseEntityTag, toEntityTag } from './entity-tag.ts'
import { errorEnvelope } from './error-envelope.ts'
import { notInQuery, type Operation } from './operation.ts'
import { operations } from './operations.ts'
import { queryCodecOf } from './queries/query-codec.ts'

/** Which server a client calls, and as whom. */
export interface ClientOptions {
  /** Ends in `/api`: `http://127.0.0.1:3000/api`. A slash after it is passed over. */
  readonly baseUrl: string
  /** An access token; none for sign-up and sign-in. */
  readonly token?: string
  /** The token of a share, for who gave its password. */
  readonly shareToken?: string
  /** Sends the requests; the platform's own when not given. */
  readonly fetch?: typeof fetch
}

const optionNames: KnownNames<ClientOptions> = {
  baseUrl: true,
  token: true,
  shareToken: true,
  fetch: true,
}

/**
 * All operations of a server, with the same names, types and errors as in process. Answers that are no envelope of an
 * error (a proxy's) reject with an Error, and so do calls that reach no server and answers that end before they are whole.
 * Throws a TypeError for a `baseUrl` that is none, and for an option that there isn't.
 */
export function createClient(given: ClientOptions): Api {
  requireKnownOptions('createClient', given, optionNames)
  requireBaseUrl(given)
  const options = { ...given, baseUrl: given.baseUrl.replace(/\/+$/, '') }
  const api: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const [feature = '', name = ''] = operation.name.split('.')
    api[feature] = { ...api[feature], [name]: toClientCall(operation, options) }
  }
  return api as unknown as Api
}

function requireBaseUrl(options: ClientOptions | undefined): void {
  const baseUrl: unknown = options?.baseUrl
  // A page may name its own server by a path alone.
  if (typeof baseUrl === 'string' && /^(https?:\/\/[^/]|\/)/.test(baseUrl)) return
  throw new TypeError(
    "createClient needs the address of a server, with /api: createClient({ baseUrl: 'http://127.0.0.1:3000/api' })",
  )
}

type Input = Readonly<Record<string, unknown>>

function toClientCall(operation: Operation, options: ClientOptions) {
  const { method, pathMembers, bodyMember, hasQueryInput, useCase } = operation
  const isForm = operation.body === 'multipart'
  const codec = queryCodecOf(useCase.input, notInQuery(operation))
  const send = options.fetch ?? fetch
  return async (input: Input = {}, callOptions: CallOptions = {}): Promise<unknown> => {
    requireCallOptions(callOptions)
    const path = toPath(operation, input)
    const query = hasQueryInput ? codec.write(input) : ''
    const rest = Object.entries(input).filter(([name]) => !pathMembers.includes(name))
    const value = bodyMember === undefined ? Object.fromEntries(rest) : input[bodyMember]
    const toBody = () => (isForm ? toForm(rest) : JSON.stringify(value))
    const file = operation.fileMember === undefined ? undefined : input[operation.fileMember]
    const content = isParts(file) ? new SentParts(file) : undefined
    const request = {
      method,
      headers: toHeaders(operation, options, callOptions, input),
      ...(callOptions.signal && { signal: callOptions.signal }),
      ...(!hasQueryInput && { body: await toBody() }),
      ...(operation.fileMember !== undefined && toFileBody(content?.parts() ?? file)),
    }
    const response = await send(`${options.baseUrl}${path}${query && `?${query}`}`, request).catch(
      (cause: unknown) => {
        content?.throwIfFailed()
        // Another error is that of the `fetch` that was given: one that it broke off, say.
        if (!(cause instanceof TypeError)) throw cause
        throw new Error(`No server answered at ${options.baseUrl}: ${reasonOf(cause)}`, { cause })
      },
    )
    if (operation.answersFile) return readFile(response)
    return operation.answersText === undefined
      ? readAnswer(response)
      : readText(response, operation.answersText)
  }
}

/** What the platform says of a connection that failed: the cause tells more than `fetch failed`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code, message } = cause as { readonly code?: string; readonly message?: string }
  return message || code || 'the connection failed'
}

function toPath({ path, pathMembers }: Operation, input: Input): string {
  return pathMembers.reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, () => encodeURIComponent(String(input[name]))),
    path,
  )
}

/** The members as a form; files that the platform doesn't know as such are read whole first. */
async function toForm(members: readonly (readonly [name: string, value: unknown])[]) {
  const form = new FormData()
  for (const [name, value] of members) {
    if (value === undefined) continue
    if (isFile(value)) form.append(name, await toBlob(value), value.name)
    else form.append(name, String(value))
  }
  return form
}

function isFile(value: unknown): value is FileSource {
  return typeof value === 'object' && value !== null && 'stream' in value
}

async function toBlob(file: FileSource): Promise<Blob> {
  if (file instanceof Blob) return file
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of file.stream()) pieces.push(Uint8Array.from(piece))
  return new Blob(pieces)
}

type Parts = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

function isParts(content: unknown): content is Parts {
  if (typeof content !== 'object' || content === null) return false
  return Symbol.asyncIterator in content || content instanceof ReadableStream
}

/** What a caller hands over part by part. Where that fails, the platform says of the connection that it did. */
class SentParts {
  readonly #content: Parts
  #failure: { readonly error: unknown } | undefined

  constructor(content: Parts) {
    this.#content = content
  }

  /** The parts as they come: a stream of the platform's as one, since browsers send no other. */
  parts(): Parts {
    return this.#content instanceof ReadableStream
      ? this.#stream(this.#content.getReader())
      : this.#iterate(this.#content)
  }

  async *#iterate(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* content
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  #stream(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { value, done } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          this.#failure = { error }
          throw error
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  /** Throws what the caller's own content failed with. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error
  }
}

/** A stream is sent as it comes, which takes what the types of the platform don't know yet. */
function toFileBody(content: unknown): RequestInit {
  const isWhole = typeof content === 'string' || content instanceof Uint8Array
  return { body: content, ...(!isWhole && { duplex: 'half' }) } as RequestInit
}

function toHeaders(
  operation: Operation,
  { token, shareToken }: ClientOptions,
  { ifMatch, idempotencyKey, windowId }: CallOptions,
  input: Input,
): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(shareToken !== undefined && { 'X-Share-Token': shareToken }),
    // Of a form, the platform says the type itself: it has chosen what parts the members.
    ...(!operation.hasQueryInput &&
      operation.body !== 'multipart' && { 'Content-Type': 'application/json' }),
    ...(operation.fileMember !== undefined && {
      'Content-Type': operation.takesAnyFile
        ? String(input.contentType ?? '')
        : (operation.fileType ?? 'text/csv'),
    }),
    ...(ifMatch !== undefined && {
      'If-Match': ifMatch.map((version) => toEntityTag(version)).join(', '),
    }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(windowId !== undefined && { 'X-Window-Id': windowId }),
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await textOf(response)
  if (!response.ok) throw toError(response, text)
  if (text === '') return undefined
  const answer: unknown = JSON.parse(text)
  const version = parseEntityTag(response.headers.get('ETag') ?? '')
  return version === undefined ? answer : { ...(answer as object), version }
}

/** The whole body. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw toLoss(error)
  }
}

/** What a body that can't be read to its end fails with: the platform's own words (`terminated`) say nothing to a caller. */
function toLoss(error: unknown): unknown {
  // Another error is that of the `fetch` that was given: one that it broke off, say.
  if (!(error instanceof TypeError)) return error
  return new Error('The answer ended before it was whole', { cause: error })
}

async function readFile(response: Response): Promise<ServedFile> {
  if (!response.ok) throw toError(response, await textOf(response))
  const [mimetype = ''] = (response.headers.get('Content-Type') ?? '').split(';')
  const size = Number(response.headers.get('Content-Length'))
  return new ServedFile({ name: fileNameOf(response), mimetype, size }, async (range) => {
    if (!range) return bytesOf(response)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return bytesOf(new Response(bytes.subarray(range.first, range.last + 1)))
  })
}

function fileNameOf(response: Response): string {
  const disposition = response.headers.get('Content-Disposition') ?? ''
  const [, encoded = ''] = /filename\*=UTF-8''([^;]*)/i.exec(disposition) ?? []
  return decodeURIComponent(encoded)
}

/** The bytes as they come. */
async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error: unknown) => {
        throw toLoss(error)
      })
      if (done) return
      yield value
    }
  } finally {
    // Who stops reading lets the server stop, too.
    await reader.cancel().catch(() => undefined)
  }
}

async function readText(response: Response, mediaType: string): Promise<TextStream> {
  if (!response.ok) throw toError(response, await textOf(response))
  return new TextStream({ fileName: fileNameOf(response), mediaType }, partsOf(response))
}

/** The text as it comes, a byte order mark included, as in process. */
async function* partsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const piece of bytesOf(response)) {
    const part = decoder.decode(piece, { stream: true })
    if (part !== '') yield part
  }
}

function toError(response: Response, text: string): Error {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  const envelope = errorEnvelope.safeParse(isJson ? jsonIn(text) : undefined)
  if (!envelope.success) return new Error(`The server answered ${response.status}`)
  const { code, message, data } = envelope.data
  return new DomainError(code, message, data)
}

/** What the text says as JSON; undefined where it is none, though a proxy may call it that. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

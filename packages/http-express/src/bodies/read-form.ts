import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { ConnectionLost } from '../connections/connection-lost.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { hasBody } from '../exchange/has-body.ts'
import { isAwaitingContinue } from './continue.ts'
import { type Reading, requireUncompressed } from './read-body.ts'

/** What is known of a form when its file begins, or when it ends. */
interface ReadForm {
  readonly members: Readonly<Record<string, string | FileSource>>
  /** Lets go of what has not come yet: nobody will read it. */
  end(): void
}

/** The member of a form that is a file. */
const fileMember = 'file'

/**
 * Reads a form up to its file, whose bytes are then passed on as fast as they are read. Refuses other types and
 * encodings before anything is read; errors in the rest of the form are thrown to the reader of the file.
 */
export async function readForm(
  { request, response }: Exchange,
  { reader, share, caller }: Pick<Reading, 'reader' | 'share' | 'caller'>,
): Promise<ReadForm> {
  if (!hasBody(request)) return { members: {}, end: () => {} }
  const { headers } = request
  const contentType = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) throw noForm()
  requireUncompressed(headers['content-encoding'])
  requireUnread(request)
  share.take(limits.uploadBytes)
  const pieceTurn = () => reader.pieceTurn(caller)
  const form = new IncomingForm(request, contentType, pieceTurn)
  const unfollow = reader.follow(request, (error) => form.fail(error))
  const end = () => {
    unfollow()
    form.end()
  }
  if (isAwaitingContinue(request)) response.writeContinue()
  try {
    const members = await form.members
    await pieceTurn()
    return { members, end }
  } catch (error) {
    end()
    throw error
  }
}

function noForm(): DomainError {
  return new DomainError(
    'unsupported_media_type',
    'The body must be a form, with the header Content-Type: multipart/form-data; boundary=…',
  )
}

function requireUnread(request: IncomingMessage): void {
  if (!request.readableDidRead && !request.readableEnded) return
  throw new DomainError(
    'internal_server_error',
    'Another handler has read the body: mount Gateleg before it',
  )
}

/** Undefined when a piece of the file may be taken at once, else what resolves when it may. */
type PieceTurn = () => Promise<void> | undefined

/** A form that is coming in. */
class IncomingForm {
  readonly members: Promise<Record<string, string | FileSource>>
  readonly #request: IncomingMessage
  readonly #parser: BusboyInstance
  readonly #known: Record<string, string | FileSource> = Object.create(null)
  readonly #resolve: (members: Record<string, string | FileSource>) => void
  readonly #reject: (error: unknown) => void
  readonly #pieceTurn: PieceTurn
  /** Settled when the form has come to its end, or never will. */
  readonly #whole = Promise.withResolvers<void>()
  #file: Readable | undefined

  constructor(request: IncomingMessage, contentType: string, pieceTurn: PieceTurn) {
    const { promise, resolve, reject } =
      Promise.withResolvers<Record<string, string | FileSource>>()
    this.members = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#request = request
    this.#pieceTurn = pieceTurn
    this.#parser = toParser(contentType)
    this.#parser.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) this.fail(invalidAt(['body'], 'has a member that is too long'))
      else this.#known[name] = value
    })
    this.#parser.on('file', (name, stream, filename) => this.#takeFile(name, stream, filename))
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      this.#parser.on(event, () => this.fail(invalidAt(['body'], 'has too many members')))
    }
    this.#parser.on('error', () => this.fail(malformed()))
    this.#parser.on('finish', () => {
      resolve(this.#known)
      this.#whole.resolve()
    })
    // Who reads the file hears of it; where there is none, nobody does.
    this.#whole.promise.catch(() => undefined)
    request.on('error', this.#onLost)
    request.on('close', this.#onLost)
    request.pipe(this.#parser)
  }

  /** Has who reads the form, or its file, hear of the error. */
  fail(error: Error): void {
    this.#reject(error)
    this.#whole.reject(error)
    this.#file?.destroy(error)
  }

  end(): void {
    this.#request.unpipe(this.#parser)
    this.#request.off('error', this.#onLost).off('close', this.#onLost)
    // Nobody is to hear of what is thrown away.
    this.members.catch(() => undefined)
    this.#file?.destroy()
  }

  readonly #onLost = (): void => {
    // Not `complete`: all of it may have come, of which a part still waits to be read.
    if (!this.#request.readableEnded) this.fail(new ConnectionLost())
  }

  #takeFile(name: string, stream: Readable, filename: string | undefined): void {
    // A stream without a listener for its errors would end the process.
    stream.on('error', () => this.fail(malformed()))
    if (name !== fileMember || this.#file) {
      stream.resume()
      return
    }
    this.#file = stream
    this.#known[name] = { name: filename ?? '', stream: () => this.#bytesOf(stream) }
    this.#resolve(this.#known)
  }

  /** The bytes of a file; its end is told only once all of the form has come. */
  async *#bytesOf(stream: Readable): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of stream) {
        const turn = this.#pieceTurn()
        if (turn) await turn
        yield piece
      }
      await this.#whole.promise
    } catch (error) {
      throw error instanceof DomainError || error instanceof ConnectionLost ? error : malformed()
    }
  }
}

function toParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldNameSize: 100,
        fieldSize: 4 * limits.shortTextLength,
        fields: 20,
        files: 20,
        parts: 20,
        headerPairs: 20,
        headerSize: 8_192,
      },
    })
  } catch {
    throw malformed()
  }
}

function malformed(): DomainError {
  return invalidAt(['body'], 'must be a complete form: multipart/form-data, as its header says')
}

import { DomainError } from '@gateleg/domain/errors'
import type { CsvEncoding } from '@gateleg/domain/imports/csv-reader'
import { limits } from '@gateleg/domain/limits'
import type { Exchange } from '../exchange/exchange.ts'
import { hasBody } from '../exchange/has-body.ts'
import { isAwaitingContinue } from './continue.ts'
import { type Reading, requireUncompressed } from './read-body.ts'

/** The types of bodies that may be CSV files. */
const fileTypes = ['text/csv', 'text/plain', 'text/tab-separated-values', 'application/csv']

/** A body that is a file: its bytes as they come, and its encoding where the header says it. */
interface OpenedFile {
  readonly content: AsyncIterable<Uint8Array> | string | undefined
  readonly encoding: string | undefined
}

/**
 * Opens the file that is the body of a request, a CSV file unless another type is given; it has no content where
 * there is no body. Refuses other types and compressed bodies before anything is read. A body that an earlier handler
 * has read is taken from `request.body`.
 */
export function openFile(
  exchange: Exchange,
  reading: Reading,
  fileType: string | undefined,
): OpenedFile {
  const { request } = exchange
  const { share } = reading
  const { headers } = request
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const isRight = (fileType === undefined ? fileTypes : [fileType]).includes(type.trim())
  if (!hasBody(request)) return { content: isRight ? '' : undefined, encoding: undefined }
  if (!isRight) throw wrongType(fileType)
  requireUncompressed(headers['content-encoding'])
  const { body } = request
  const encoding = fileType === undefined ? encodingOf(parameters) : undefined
  if (typeof body === 'string' || Buffer.isBuffer(body))
    return { content: typeof body === 'string' ? body : wholeOf(body), encoding }
  // What is held of it at a time: what was read to tell how it is written, and rows that wait.
  share.take(2 * limits.importLengthAtOnce)
  const content = bytesOf(exchange, reading)
  // Whoever reads it may come to hold more.
  const hold = (bytes: number) => share.take(bytes)
  return { content: Object.assign(content, { hold }), encoding }
}

/** The bytes of the body as they come, which the caller is asked for with the first of them. */
async function* bytesOf(
  { request, response }: Exchange,
  { reader, caller }: Reading,
): AsyncGenerator<Uint8Array> {
  if (isAwaitingContinue(request)) response.writeContinue()
  yield* reader.stream(request, caller)
}

/** A body of any type, whose bytes are read as they come. */
interface AnyFile {
  readonly content: AsyncIterable<Uint8Array>
  readonly contentType: string
}

/**
 * Opens the file that is the body of a request, of any type; it is empty where there is no body. Refuses compressed
 * bodies before anything is read.
 */
export function openAnyFile(exchange: Exchange, reading: Reading): AnyFile {
  const { request } = exchange
  const { headers, body } = request
  requireUncompressed(headers['content-encoding'])
  const contentType = headers['content-type'] ?? ''
  if (!hasBody(request)) return { content: wholeOf(''), contentType }
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    return { content: wholeOf(body), contentType }
  }
  reading.share.take(limits.uploadBytes)
  return { content: bytesOf(exchange, reading), contentType }
}

async function* wholeOf(body: string | Buffer): AsyncIterable<Uint8Array> {
  yield Buffer.from(body)
}

const charset = /^\s*charset\s*=\s*"?([\w-]+)"?\s*$/

/** The encoding that the header says; where it is none that is known, the schema refuses it. */
function encodingOf(parameters: readonly string[]): CsvEncoding | undefined {
  const [, name] = parameters.map((one) => charset.exec(one)).find(Boolean) ?? []
  if (name === undefined || name === 'us-ascii') return undefined
  if (name === 'utf8') return 'utf-8'
  return (name === 'iso-8859-1' || name === 'latin1' ? 'windows-1252' : name) as CsvEncoding
}

function wrongType(fileType: string | undefined): DomainError {
  const what = fileType === undefined ? 'a CSV file' : 'a file'
  const message = `The body must be ${what}, with the header Content-Type: ${fileType ?? 'text/csv'}`
  return new DomainError('unsupported_media_type', message)
}

import { isUtf8 } from 'node:buffer'
import { DomainError, invalidAt } from '@gateleg/domain/errors'
import type { Exchange } from '../exchange/exchange.ts'
import { hasBody } from '../exchange/has-body.ts'
import type { BodyShare } from './body-budget.ts'
import { type BodyReader, bodyTooLarge } from './body-reader.ts'
import { isAwaitingContinue } from './continue.ts'

/** Bytes up to which a body is so quickly read and parsed that nobody minds. */
const lightBytes = 8 * 1024

/**
 * Bytes from which on V8 gives a text memory of its own in its heap, which takes it milliseconds, and from which on Node puts
 * one elsewhere, which takes a tenth of that. A text in between is made as a part of a longer one.
 */
const costlyFromBytes = 120 * 1024
const outsideHeapFromBytes = 1024 * 1024

/** A body that an earlier handler has parsed. */
interface ParsedBody {
  readonly parsed: unknown
}

/** The text of a body, or its parsed form; undefined when the request has no body. */
type Body = string | ParsedBody | undefined

/** What is needed to read a body. */
export interface Reading {
  readonly reader: BodyReader
  readonly share: BodyShare
  readonly caller: string
  /** Bytes that it may have. */
  readonly most: number
  /** Lets others have their turn when it is time. */
  readonly giveWay: () => Promise<void>
}

/**
 * Reads the JSON body of a request, or a form of texts where that is asked for. Refuses other types of JSON bodies, and
 * encodings and lengths of both, before reading. A body that an earlier handler has read is taken from `request.body`.
 */
export async function readBody(
  { request, response }: Exchange,
  { reader, share, most, giveWay }: Reading,
  kind: 'json' | 'form' = 'json',
): Promise<Body> {
  const { headers } = request
  if (!hasBody(request)) return undefined
  if (kind === 'json') requireJson(headers['content-type'])
  if (Number(headers['content-length']) > most) throw bodyTooLarge(most)
  if (request.readableDidRead || request.readableEnded) return takeReadBody(request.body, most)
  requireUncompressed(headers['content-encoding'])
  if (isAwaitingContinue(request)) response.writeContinue()
  const bytes = await join(await reader.receive(request, share, most), giveWay)
  if (bytes.length >= lightBytes) await giveWay()
  return toText(bytes)
}

/** The pieces as one; others have their turn in between. */
async function join(pieces: readonly Buffer[], giveWay: () => Promise<void>): Promise<Buffer> {
  const [first] = pieces
  if (pieces.length === 1 && first) return first
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
    await giveWay()
  }
  return whole
}

function takeReadBody(body: unknown, most: number): Body {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (body.length > most) throw bodyTooLarge(most)
    return typeof body === 'string' ? body : toText(body)
  }
  if (body !== undefined) return { parsed: body }
  throw new DomainError(
    'internal_server_error',
    'Another handler has read the body and left nothing in request.body: mount Gateleg before it, or ' +
      'put express.json() there',
  )
}

function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidAt(['body'], 'must be UTF-8')
  const padding = bytes.length < costlyFromBytes ? 0 : outsideHeapFromBytes - bytes.length
  if (padding <= 0) return bytes.toString('utf8')
  const padded = Buffer.allocUnsafeSlow(outsideHeapFromBytes)
  padded.set(bytes)
  padded.fill(' ', bytes.length)
  return padded.toString('utf8').slice(0, -padding)
}

function requireJson(type: string | undefined): void {
  if (type !== 'application/json' && !isJson(type ?? '')) {
    throw new DomainError(
      'unsupported_media_type',
      'The body must be JSON, with the header Content-Type: application/json',
    )
  }
}

/** Whether the type is that of a form of texts. */
export function isForm(type: string | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type ?? '')
}

/** Refuses a compressed body, because its full length is unknown. */
export function requireUncompressed(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body must not be compressed')
  }
}

function isJson(type: string): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';')
  if (essence.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^\s*"?utf-?8"?\s*$/.test(value)
  })
}

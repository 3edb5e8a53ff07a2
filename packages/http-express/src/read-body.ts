import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import type { Request } from 'express'

/** A body that was parsed before the request came here. */
export interface ParsedBody {
  readonly parsed: unknown
}

/** The text of a body, or what was made of it elsewhere; undefined when the request has none. */
export type Body = string | ParsedBody | undefined

/**
 * The JSON body of a request. Refuses other types and encodings before it reads, and stops reading at
 * `limits.jsonBodyBytes`. What a handler before the mount has read is taken from `request.body`.
 */
export async function readBody(request: Request): Promise<Body> {
  const { headers } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    return undefined
  }
  requireJson(headers['content-type'])
  if (request.readableDidRead || request.readableEnded) return takeReadBody(request.body)
  requireUncompressed(headers['content-encoding'])
  if (Number(length) > limits.jsonBodyBytes) throw tooLarge()
  return toText(await readBytes(request))
}

function takeReadBody(body: unknown): Body {
  if (Buffer.isBuffer(body)) return toText(body)
  if (typeof body === 'string') return body
  if (body !== undefined) return { parsed: body }
  throw new DomainError(
    'internal_server_error',
    'Another handler has read the body and left nothing in request.body: mount Gateleg before it, or ' +
      'put express.json() there',
  )
}

function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidAt(['body'], 'must be UTF-8')
  return bytes.toString('utf8')
}

function requireJson(type: string | undefined): void {
  if (type !== 'application/json' && !isJson(type ?? '')) {
    throw new DomainError(
      'unsupported_media_type',
      'The body must be JSON, with the header Content-Type: application/json',
    )
  }
}

function requireUncompressed(encoding: string | undefined): void {
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

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.jsonBodyBytes) {
        // What still comes is read and thrown away, so that the caller gets to reading the answer.
        request.removeAllListeners('data').resume()
        reject(tooLarge())
      } else chunks.push(chunk)
    })
    request.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks))
    })
    request.on('error', () => reject(new ConnectionLost()))
  })
}

/** The caller went away before the request was whole: there is nobody to answer. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was closed before the request was whole')
    this.name = 'ConnectionLost'
  }
}

function tooLarge(): DomainError {
  return new DomainError(
    'payload_too_large',
    `The body may have ${limits.jsonBodyBytes} bytes at most: send it in parts`,
  )
}

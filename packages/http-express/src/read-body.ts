import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'

/**
 * The text of a request's JSON body, empty when there is none. Refuses other types and encodings before
 * it reads, and stops reading at `limits.jsonBodyBytes`.
 */
export async function readBody(request: IncomingMessage): Promise<string> {
  const { headers } = request
  const length = headers['content-length']
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    return ''
  }
  requireJson(headers['content-type'], headers['content-encoding'])
  if (Number(length) > limits.jsonBodyBytes) throw tooLarge()
  const bytes = await readBytes(request)
  if (!isUtf8(bytes)) throw invalidAt(['body'], 'must be UTF-8')
  return bytes.toString('utf8')
}

function requireJson(type: string | undefined, encoding: string | undefined): void {
  if (type !== 'application/json' && !isJson(type ?? '')) {
    throw new DomainError(
      'unsupported_media_type',
      'The body must be JSON, with the header Content-Type: application/json',
    )
  }
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

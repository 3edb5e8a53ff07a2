import type { ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import type { Operation } from '@gateleg/contract/operation'
import type { Ids } from '@gateleg/domain/ids'
import compression from 'compression'
import type { Request, Response } from 'express'
import type { Logger } from '../logger.ts'
import type { Headers } from '../security-headers.ts'
import { sendInTurn } from './answers-of-turn.ts'
import { addressOf, type TrustProxy } from './caller-address.ts'
import { hasBody } from './has-body.ts'
import type { JsonBody } from './json-parts.ts'
import { sendAtPace } from './send-at-pace.ts'
import type { ServedRequest } from './served-request.ts'

/** Bytes from which an answer is worth compressing. */
const compressedFromBytes = 1_024

/** Characters from which on an answer is sent bit by bit. */
const pacedFromLength = 256 * 1_024

/** Fast rather than small: an answer is made once and read once. */
const compress = compression({
  threshold: compressedFromBytes,
  level: 1,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
})

/** The settings that all exchanges of an app share. */
interface ExchangeSettings {
  readonly logger: Logger
  readonly ids: Ids
  /** Sent with every answer. */
  readonly headers: Headers
  /** Gets rid of what still comes of a request that has been answered. */
  readonly discard: (request: ServedRequest) => void
  /** Which proxies are believed; where it isn't said, the program says it that mounts the app. */
  readonly trusts: TrustProxy | undefined
}

/** One request and the answer to it, from its arrival to its line in the log. */
export class Exchange {
  readonly request: ServedRequest
  readonly response: ServerResponse
  /** Names the request in the log and in the answer. */
  readonly requestId: string
  /** As it came, without the query. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** The pattern of the path, for the log; undefined while unknown. */
  route: string | undefined
  /** What it asks for; undefined while unknown. */
  operation: Operation | undefined
  /** Whether a browser follows a link or sends a form, where programs call the operation. */
  isBrowsed = false
  /** Who sent it; undefined while unknown. */
  userId: string | undefined
  readonly #settings: ExchangeSettings
  readonly #startedMs = performance.now()
  #isLogged = false

  constructor(request: ServedRequest, response: ServerResponse, settings: ExchangeSettings) {
    this.request = request
    this.response = response
    this.#settings = settings
    this.requestId = settings.ids.next('request')
    const url = toOriginForm(request.url ?? '/')
    const queryStart = url.indexOf('?')
    this.path = queryStart === -1 ? url : url.slice(0, queryStart)
    this.query = queryStart === -1 ? '' : url.slice(queryStart + 1)
  }

  /** The network address of the caller; undefined where the connection is gone. */
  get address(): string | undefined {
    return addressOf(this.request, this.#settings.trusts)
  }

  /** GET also for HEAD, which is answered alike. */
  get method(): string {
    const { method = '' } = this.request
    return method === 'HEAD' ? 'GET' : method
  }

  /** Answers once and for all. The extra headers win over those of the settings. */
  answer(status: number, body: JsonBody, extra: Headers): void {
    const { request, response } = this
    const length = lengthOf(body)
    const headers = { ...this.#settings.headers, 'X-Request-Id': this.requestId, ...extra }
    const isHead = request.method === 'HEAD'
    if (length >= compressedFromBytes && request.headers['accept-encoding'] && !isHead) {
      response.statusCode = status
      for (const name in headers) response.setHeader(name, headers[name as never])
      this.#compress(() => this.#end(body, length))
    } else {
      // A 304 may not say a length that isn't that of the 200, and a 204 none at all.
      const hasLength = status !== 304 && status !== 204
      response.writeHead(status, hasLength ? { ...headers, 'Content-Length': length } : headers)
      this.#end(isHead ? '' : body, length)
    }
    if (!request.complete && hasBody(request)) this.#settings.discard(request)
    this.log(status)
  }

  /**
   * Begins an answer of a length that isn't known yet, whose body the caller of this writes; false where only the headers
   * are asked for, and are sent. It is to be noted in the log at its end.
   */
  begin(status: number, extra: Headers): boolean {
    const { request, response } = this
    const headers = { ...this.#settings.headers, 'X-Request-Id': this.requestId, ...extra }
    response.statusCode = status
    for (const name in headers) response.setHeader(name, headers[name as never])
    if (request.method === 'HEAD') {
      response.end()
      this.log(status)
      return false
    }
    if (request.headers['accept-encoding']) this.#compress(() => {})
    return true
  }

  /**
   * Begins an answer of so many bytes, which are sent as they are and which the caller of this writes; false where only the
   * headers are asked for, and are sent. It is to be noted in the log at its end.
   */
  beginBytes(status: number, length: number, extra: Headers): boolean {
    const { request, response } = this
    const headers = { ...this.#settings.headers, 'X-Request-Id': this.requestId, ...extra }
    response.writeHead(status, { ...headers, 'Content-Length': length })
    if (request.method !== 'HEAD') return true
    response.end()
    this.log(status)
    return false
  }

  /** Answers with bytes as they are; like `answer`, but for what is compressed already. */
  answerBytes(status: number, body: Buffer, extra: Headers): void {
    if (!this.beginBytes(status, body.length, extra)) return
    sendAtPace(this.response, [body])
    this.log(status)
  }

  /** Compresses what is written from now on; of Express it needs nothing, whatever its types say. */
  #compress(goOn: () => void): void {
    compress(this.request as Request, this.response as Response, goOn)
  }

  /** A large answer, of so many bytes, is sent bit by bit, to a caller who takes it at a pace. */
  #end(body: JsonBody, length: number): void {
    const { response } = this
    if (typeof body !== 'string') sendAtPace(response, body)
    else if (body.length >= pacedFromLength) sendAtPace(response, [Buffer.from(body)])
    else {
      // Characters of one byte each are the same in both, and quicker to write so.
      const encoding = length === body.length ? 'latin1' : 'utf8'
      sendInTurn(() => response.end(body, encoding))
    }
  }

  /** Notes the answer in the log, once; for answers that were sent by other means. */
  log(status: number): void {
    if (this.#isLogged) return
    this.#isLogged = true
    this.#settings.logger.info(
      {
        requestId: this.requestId,
        method: this.request.method,
        route: this.route,
        status,
        ms: Math.round((performance.now() - this.#startedMs) * 100) / 100,
        userId: this.userId,
      },
      'request',
    )
  }
}

/** The bytes of an answer's body. */
export function lengthOf(body: JsonBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body.reduce((sum, part) => sum + part.length, 0)
}

/** `/path` of `http://host/path`, which requests through a proxy may ask for. */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url
  const authority = url.indexOf('://')
  const path = authority === -1 ? -1 : url.indexOf('/', authority + 3)
  return path === -1 ? '/' : url.slice(path)
}

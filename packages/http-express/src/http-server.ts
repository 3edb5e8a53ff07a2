import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { DomainError } from '@gateleg/domain/errors'
import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import { limits } from '@gateleg/domain/limits'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { LastAnswers } from './answers/last-answers.ts'
import { holdingContinue } from './bodies/continue.ts'
import { isStopped } from './bodies/stop-parsing.ts'
import { limitConnections } from './connections/limit-connections.ts'
import { toErrorAnswer } from './errors.ts'
import { apiHeaders } from './security-headers.ts'

/** What is served, where, and to whom. */
export interface ListenOptions {
  readonly app: RequestListener
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /**
   * Whether the app itself asks callers who wait for it for the body (`100 Continue`), as one of
   * `createHttpApp` does. The default is no: an app around it may read bodies, too.
   */
  readonly asksForBodies?: boolean
  /** Hears of connections that could not be taken: where the process may have no more files open, say. */
  readonly onError?: (error: unknown) => void
  /** Whether the address is that of a trusted proxy, which connects for many callers. The default is no. */
  readonly isProxy?: (address: string) => boolean
}

/** A server that listens. */
export interface HttpServer {
  /** Where it listens: `http://127.0.0.1:3000`. */
  readonly url: string
  /**
   * Takes no more connections, answers requests under way, and for a second those that come on connections that are open:
   * each such answer says that it is the last. Cuts off what is not done by the deadline. Resolves when every connection is closed.
   */
  close(deadlineMs: number): Promise<void>
}

/** Milliseconds between two looks at connections whose requests don't arrive. */
const lookMs = 5_000

/** Milliseconds between two looks at connections that have become idle while closing. */
const closingPauseMs = 50

/**
 * Milliseconds for which idle connections stay open while closing: a request may be on its way, and who sends one after another
 * learns with the answer that the connection ends.
 */
const lastRequestsMs = 1_000

const optionNames: KnownNames<ListenOptions> = {
  app: true,
  host: true,
  port: true,
  asksForBodies: true,
  onError: true,
  isProxy: true,
}

/**
 * Listens with the limits of the service. Rejects when the port is in use, and with a TypeError for an unknown
 * option.
 */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  requireKnownOptions('listen', options, optionNames)
  const {
    app,
    host,
    port,
    asksForBodies,
    onError = () => undefined,
    isProxy = () => false,
  } = options
  const server = createServer(
    {
      maxHeaderSize: limits.requestHeaderBytes,
      requestTimeout: limits.requestSeconds * 1_000,
      headersTimeout: limits.headersSeconds * 1_000,
      connectionsCheckingInterval: Math.min(lookMs, limits.headersSeconds * 1_000),
      keepAliveTimeout: limits.keepAliveSeconds * 1_000,
      // The app asks for the header itself, so that the refusal is an answer like all others.
      requireHostHeader: false,
    },
    app,
  )
  server.on('checkExpectation', app)
  if (asksForBodies) server.on('checkContinue', holdingContinue(app))
  server.on('clientError', refuseConnection)
  limitConnections(server, isProxy)
  const lastAnswers = new LastAnswers(server)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      // Without a listener, a connection that can't be taken would end the process.
      server.on('error', onError)
      const url = toUrl(server.address() as AddressInfo)
      resolve({ url, close: (ms) => close(server, lastAnswers, ms) })
    })
  })
}

function toUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/**
 * Waits until those are accepted who have connected: with the listener the system would reset their connections, whatever they
 * have sent. Node accepts one in a turn of the event loop.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = () => accepted++
  server.on('connection', count)
  const untilMs = performance.now() + lastRequestsMs
  // The rest of this turn, in which they may have been accepted before.
  await setImmediate()
  let before: number
  do {
    before = accepted
    await setImmediate()
  } while (accepted > before && performance.now() < untilMs)
  server.off('connection', count)
}

async function close(server: Server, lastAnswers: LastAnswers, deadlineMs: number): Promise<void> {
  lastAnswers.begin()
  await acceptWaiting(server)
  // That of HTTP would close idle connections at once, on which requests may be on their way.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  let sweep: NodeJS.Timeout | undefined
  const closeIdle = () => {
    server.close()
    // Node keeps a connection open that was busy when the server began to close.
    sweep = setInterval(() => server.closeIdleConnections(), closingPauseMs)
  }
  const linger = setTimeout(closeIdle, Math.min(lastRequestsMs, deadlineMs))
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs)
  await closed
  clearTimeout(linger)
  clearInterval(sweep)
  clearTimeout(cut)
  // Ends Node's looks at connections, too.
  server.close()
}

const ids = new RandomIds()

/** Answers what is no request, before any app has seen it. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  // Its answer is under way, and closes it.
  if (isStopped(socket)) return
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { envelope } = toErrorAnswer(toRefusal(error.code))
  const body = JSON.stringify(envelope)
  const headers = {
    ...apiHeaders(false),
    'X-Request-Id': ids.next('request'),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const statusLine = `HTTP/1.1 ${envelope.status} ${STATUS_CODES[envelope.status]}\r\n`
  socket.end(`${statusLine}${head.join('')}\r\n${body}`)
}

function toRefusal(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError(
      'payload_too_large',
      `The request line and the headers may have ${limits.requestHeaderBytes} bytes at most`,
    )
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request did not arrive completely in time')
  }
  return new DomainError('validation_error', 'This is not a request of HTTP/1.1')
}

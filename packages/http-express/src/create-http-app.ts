import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorEnvelope } from '@gateleg/contract/error-envelope'
import { toOAuthEnvelope } from '@gateleg/contract/oauth-envelope'
import { anonymous } from '@gateleg/domain/access/actor'
import { callerOf } from '@gateleg/domain/access/caller-of'
import { DomainError, invalidAt } from '@gateleg/domain/errors'
import type { Ids } from '@gateleg/domain/ids'
import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import { isOrigin } from '@gateleg/domain/values/is-origin'
import type { Engine } from '@gateleg/engine/engine'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { pino } from 'pino'
import { AnswerBudget, type AnswerLimits } from './answers/answer-budget.ts'
import { AnswerTurns } from './answers/answer-turns.ts'
import { gatherPieces } from './bodies/body-pieces.ts'
import { type BodyLimits, BodyReader } from './bodies/body-reader.ts'
import { isWithinPipeline } from './bodies/bound-pipeline.ts'
import { type CallLimitOptions, CallLimits } from './callers/call-limits.ts'
import { KnownCallers } from './callers/known-callers.ts'
import { toHost } from './callers/same-site.ts'
import { SharedCheck } from './callers/shared-check.ts'
import { trustProxies } from './callers/trust-proxies.ts'
import { CauseLog } from './cause-log.ts'
import { ConnectionLost } from './connections/connection-lost.ts'
import { type RequestLane, RequestTurns } from './connections/request-turns.ts'
import { toErrorAnswer, toIncident } from './errors.ts'
import { Exchange } from './exchange/exchange.ts'
import { requireGet } from './exchange/require-get.ts'
import type { ServedRequest } from './exchange/served-request.ts'
import type { Logger } from './logger.ts'
import { OpenApiText } from './pages/open-api-text.ts'
import { type Pages, servePages } from './pages/serve-pages.ts'
import {
  appFailurePage,
  failurePage,
  laterPage,
  pageHeaders,
  takesPages,
} from './pages/sign-in-pages.ts'
import { toSignIn } from './pages/to-sign-in.ts'
import { createOperationRouter, type OperationRouter } from './routing/operation-router.ts'
import { apiHeaders } from './security-headers.ts'
import { toPath, toPublicUrl } from './to-public-url.ts'

/** The part of an engine that an app uses. Without `countCalls` the app counts calls for itself. */
export type ServedEngine = Pick<Engine, 'call' | 'authenticate' | 'isHealthy' | 'giveWay'> &
  Partial<Pick<Engine, 'countCalls'>>

/** An app that can be mounted in any Express app, or served by `node:http`. */
export interface HttpApp {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void
  /** Whether what a request from this address says of its caller's address is believed. */
  isTrustedProxy(address: string): boolean
}

/** How an app serves an engine; each has a default. */
export interface HttpAppOptions {
  /** Where browsers reach the service, when that differs from where it listens. */
  readonly publicUrl?: string
  /** The default logs failures alone, to standard output. */
  readonly logger?: Logger
  readonly ids?: Ids
  /** What bodies may take of memory and time; see `limits.ts` for what isn't given. */
  readonly bodies?: Partial<BodyLimits>
  /** How often callers may call; the default limits sign-ups and sign-ins alone. */
  readonly callLimits?: Partial<CallLimitOptions>
  /**
   * Addresses and networks (`10.0.0.0/8`) of the proxies whose `X-Forwarded-For` or `Forwarded` is believed.
   * When not given, the setting `trust proxy` of the app that this one is mounted in says it, or nobody is.
   */
  readonly trustedProxies?: readonly string[]
  /** What answers that hold records may take of memory and time; see `limits.ts` for what isn't given. */
  readonly answers?: Partial<AnswerLimits>
  /** Origins (`https://app.example.com`) beside its own whose pages may frame the pages of the plugins that ship. */
  readonly pluginFrameOrigins?: readonly string[]
}

const optionNames: KnownNames<HttpAppOptions> = {
  publicUrl: true,
  logger: true,
  ids: true,
  bodies: true,
  callLimits: true,
  trustedProxies: true,
  answers: true,
  pluginFrameOrigins: true,
}

/**
 * Creates an app that serves the engine, and that any Express app can mount: `/api`, `/health`, `/openapi.json`, `/docs`
 * and `/plugins`. Throws a TypeError for an invalid engine, options, public URL or trusted proxies.
 */
export function createHttpApp(engine: ServedEngine, options: HttpAppOptions = {}): HttpApp {
  requireEngine(engine)
  requireKnownOptions('createHttpApp', options, optionNames)
  const publicUrl = options.publicUrl === undefined ? undefined : toPublicUrl(options.publicUrl)
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const ids = options.ids ?? new RandomIds()
  const logger = options.logger ?? pino({ level: 'warn' })
  const reader = new BodyReader(options.bodies)
  const discard = (request: ServedRequest) => reader.discard(request)
  const trusts = options.trustedProxies && trustProxies(options.trustedProxies)
  const settings = { logger, ids, headers: apiHeaders(isHttps), discard, trusts }
  const failures: Failures = { logger, causes: new CauseLog(logger), ids }
  const fail = (exchange: Exchange, error: unknown) => answerError(exchange, error, failures)
  const knownCallers = new KnownCallers()
  const routes: Routes = {
    health: new SharedCheck(engine.isHealthy.bind(engine)),
    turns: new RequestTurns(),
    knownCallers,
    serveOperation: createOperationRouter({
      engine,
      reader,
      callLimits: new CallLimits(options.callLimits, engine.countCalls?.bind(engine)),
      answers: new AnswerBudget(options.answers),
      answerTurns: new AnswerTurns(),
      authenticate: engine.authenticate,
      knownCallers,
      publicHost: publicUrl && toHost(publicUrl),
      publicPath: publicUrl && toPath(publicUrl),
      isHttps,
    }),
    servePage: servePages({
      openApi: new OpenApiText(`${publicUrl ?? '.'}/api`, () => engine.giveWay()),
      publicUrl,
      isHttps,
      framingOrigins: requireOrigins(options.pluginFrameOrigins),
      fail,
    }),
  }
  const app = (request: ServedRequest, response: ServerResponse): void => {
    if (!isWithinPipeline(request, response)) return
    gatherPieces(request, response)
    const exchange = new Exchange(request, response, settings)
    serve(exchange, routes).catch((error: unknown) => fail(exchange, error))
  }
  return Object.assign(app, {
    isTrustedProxy: (address: string): boolean => trusts?.(address, 0) ?? false,
  })
}

/** The origins; throws a TypeError for what is no list of them. */
function requireOrigins(origins: readonly string[] = []): readonly string[] {
  if (Array.isArray(origins) && origins.every(isOrigin)) return origins
  throw new TypeError('pluginFrameOrigins takes a list of origins, as ["https://app.example.com"]')
}

/** A program in plain JavaScript has no compiler that tells it. */
function requireEngine(engine: Partial<ServedEngine> | undefined): void {
  if (typeof engine?.call === 'function') return
  throw new TypeError('createHttpApp needs an engine: createHttpApp(await openEngine({ storage }))')
}

interface Routes {
  readonly turns: RequestTurns
  readonly knownCallers: KnownCallers
  readonly health: SharedCheck
  readonly serveOperation: OperationRouter
  readonly servePage: Pages
}

/**
 * In whose turn a request begins. Whoever looks after the service has a lane of their own: `/health` is answered however many
 * others call from the same place.
 */
function laneOf(exchange: Exchange, { knownCallers }: Routes): RequestLane {
  const { request, path } = exchange
  const known = knownCallers.find(request.headers)
  if (known !== undefined) return { caller: known, isKnown: true }
  const caller = callerOf(anonymous, exchange.address)
  return { caller: path === '/health' ? `health:${caller}` : caller, isKnown: false }
}

/** Serves a request in its turn. What programs call doesn't pay for Express. */
async function serve(exchange: Exchange, routes: Routes): Promise<void> {
  const { path, request } = exchange
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    throw invalidAt(['Host'], 'must say the host')
  }
  const turn = routes.turns.enter(request, () => laneOf(exchange, routes))
  if (turn) await turn
  if (path.startsWith('/api/')) {
    return routes.serveOperation(exchange, path.slice('/api'.length))
  }
  if (path === '/health') return answerHealth(exchange, routes.health)
  routes.servePage(exchange)
}

async function answerHealth(exchange: Exchange, health: SharedCheck): Promise<void> {
  requireGet(exchange)
  exchange.route = '/health'
  const { isHealthy, failure } = await health.find()
  if (!isHealthy) {
    const code = 'database_connection_unavailable'
    throw Object.assign(new DomainError(code, 'The storage can not be read'), { cause: failure })
  }
  exchange.answer(200, '{"status":"ok"}', json)
}

const json = { 'Content-Type': 'application/json; charset=utf-8' }

/** The code of the innermost cause that has one: what the database, the disk or the mail server said. */
function codeOf(error: unknown): string | undefined {
  let code: string | undefined
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    if ('code' in at && typeof at.code === 'string') code = at.code
  }
  return code
}

/** Where failures are told of, and what names those that nobody expected. */
interface Failures {
  readonly logger: Logger
  readonly causes: CauseLog
  readonly ids: Ids
}

/** What a browser is told that followed a link to an operation; undefined for programs. */
function toPage(
  { isBrowsed, operation, request, path, query }: Exchange,
  { message, status }: ErrorEnvelope,
): string | undefined {
  if (!isBrowsed || !takesPages(request.headers)) return undefined
  if (operation?.isForPeople) return appFailurePage(message)
  const isLater = status === 429 || status === 503
  return isLater ? laterPage(message, `${path.split('/').at(-1)}?${query}`) : failurePage(message)
}

function answerError(exchange: Exchange, error: unknown, { logger, causes, ids }: Failures): void {
  const { response, requestId } = exchange
  if (error instanceof ConnectionLost || response.headersSent) {
    // Who gets half of an answer sees that it has no end; why it has none stands in the log.
    if (!(error instanceof ConnectionLost)) logger.error({ requestId, err: error }, 'answer cut')
    response.destroy()
    // 499 is what logs call an answer that nobody waited for.
    exchange.log(499)
    return
  }
  const known = error instanceof DomainError ? error : toIncident(ids.next('incident'))
  if (known !== error) logger.error({ ...known.data, requestId, err: error }, 'incident')
  const { envelope, retryAfterSeconds } = toErrorAnswer(known)
  if (known.cause !== undefined) {
    const { status, code } = envelope
    const cause = { status, code, causeCode: codeOf(known.cause), err: known.cause }
    causes.note(requestId, cause)
  }
  const page = toPage(exchange, envelope)
  const { operation } = exchange
  if (
    page !== undefined &&
    operation?.isForPeople &&
    envelope.status === 401 &&
    exchange.method === 'GET'
  ) {
    exchange.answer(302, '', { Location: toSignIn(exchange) })
    return
  }
  const told = operation?.speaksOAuth ? toOAuthEnvelope(envelope) : envelope
  exchange.answer(envelope.status, page ?? JSON.stringify(told), {
    ...(page === undefined ? json : pageHeaders),
    // The caller was too slow; the rest of the request would be taken for the next one.
    ...(envelope.status === 408 && { Connection: 'close' }),
    ...(envelope.status === 401 && {
      'WWW-Authenticate': operation?.speaksOAuth ? 'Basic realm="Gateleg"' : 'Bearer',
    }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  })
}

import { createHash, hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { toEntityTag } from '@gateleg/contract/entity-tag'
import { notInQuery, type Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { parseJson, parseJsonInTurns } from '@gateleg/contract/parse-json'
import { type QueryCodec, queryCodecOf } from '@gateleg/contract/query-codec'
import { requireLikeParsed } from '@gateleg/contract/require-like-parsed'
import { type Actor, anonymous } from '@gateleg/domain/access/actor'
import { callerOf } from '@gateleg/domain/access/caller-of'
import { AnswerTooLong } from '@gateleg/domain/answer-too-long'
import { ServedFile } from '@gateleg/domain/attachments/served-file'
import { assert, DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { isLongOutput } from '@gateleg/domain/records/long-outputs'
import type { TextStream } from '@gateleg/domain/text-stream'
import type { Engine } from '@gateleg/engine/engine'
import type { AnswerBudget, AnswerShare } from './answer-budget.ts'
import { answerFile } from './answer-file.ts'
import { type AnswerNeed, type AnswerOptions, needOf } from './answer-need.ts'
import type { AnswerTurns } from './answer-turns.ts'
import {
  authenticateRequest,
  authenticateVisitor,
  type CallerSettings,
} from './authenticate-request.ts'
import { type BodyReader, ConnectionLost } from './body-reader.ts'
import type { CallLimits } from './call-limits.ts'
import { callerAddress } from './caller-address.ts'
import { attachmentOf } from './content-disposition.ts'
import { toCookieHeaders } from './cookie-headers.ts'
import { type Exchange, lengthOf } from './exchange.ts'
import { type JsonBody, toJson } from './json-parts.ts'
import { openFile } from './open-file.ts'
import { isNoneMatch, parseIfMatch } from './preconditions.ts'
import { type Reading, readBody } from './read-body.ts'
import { readForm } from './read-form.ts'
import { type Match, RouteTrie } from './route-trie.ts'
import type { Headers } from './security-headers.ts'
import { sendText } from './send-text.ts'

export interface RouterSettings extends CallerSettings {
  readonly engine: Pick<Engine, 'call' | 'giveWay'>
  readonly reader: BodyReader
  readonly callLimits: CallLimits
  /** For operations that answer records, and for long answers of others. */
  readonly answers: AnswerBudget
  readonly answerTurns: AnswerTurns
  /** The path at which browsers reach the service, where that isn't the mount's; without a slash at its end. */
  readonly publicPath: string | undefined
  /** Whether the session cookie is for https alone. */
  readonly isHttps: boolean
}

/** Answers one request of the API; what goes wrong is thrown. */
export type OperationRouter = (exchange: Exchange, path: string) => Promise<void>

/** An operation, with what can be worked out before the first request. */
interface Plan {
  readonly operation: Operation
  readonly query: QueryCodec
}

/** The one router of all operations: match, authenticate, read, call, answer. */
export function createOperationRouter(settings: RouterSettings): OperationRouter {
  const { reader } = settings
  const routes = new RouteTrie<Plan>()
  for (const operation of operations) {
    const query = queryCodecOf(operation.useCase.input, notInQuery(operation))
    routes.add(operation.method, operation.path, { operation, query })
  }
  return async (exchange, path) => {
    const { plan, params } = requireFound(routes.match(exchange.method, path), exchange)
    const { operation } = plan
    exchange.route = operation.path
    const address = addressOf(exchange)
    const shareId = operation.isOfShare ? (params[0] ?? '') : undefined
    const actor = await admit(exchange, { operation, address, shareId }, settings)
    const caller = callerOf(actor, address)
    const share = reader.budget.open({ caller, isSmall: isSmall(exchange, operation) })
    let endInput: (() => void) | undefined
    try {
      const { input, length, end } = await readInput(exchange, plan, params, {
        reader,
        share,
        most: reader.mostOf(operation),
        giveWay: () => settings.engine.giveWay(),
      })
      endInput = end
      const options = toOptions(exchange, address)
      const call = (more?: AnswerOptions) =>
        settings.engine.call(operation.name, actor, input, { ...options, ...more })
      if (operation.answersFile) {
        const file = await call()
        assert(file instanceof ServedFile, `${operation.name} answers a file`)
        await answerFile(exchange, file, String(input.path))
      } else if (operation.answersText !== undefined) {
        await answerText(exchange, operation, { call, caller }, settings)
      } else if (operation.answersRecords) {
        const need = needOf(operation, input, length)
        await answerRecords(exchange, operation, { call, caller, need }, settings)
      } else {
        const result = await call()
        if (isLongOutput(result))
          return await answerLong(exchange, operation, result, caller, settings)
        const body = JSON.stringify(withoutVersion(result)) ?? ''
        await answerResult(exchange, operation, result, body, settings)
      }
    } finally {
      endInput?.()
      share.end()
    }
  }
}

/** The address of the caller, as the app or the one that it is mounted in trusts proxies. */
function addressOf({ request }: Exchange): string | undefined {
  const { headers, socket } = request
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers
  if (!isForwarded) return socket.remoteAddress
  return callerAddress(socket.remoteAddress, headers, request.app.get('trust proxy fn'))
}

/** What a request asks for, and where it comes from. */
interface Arrival {
  readonly operation: Operation
  readonly address: string | undefined
  /** The share that its path names. */
  readonly shareId: string | undefined
}

/** Who calls; refuses callers that are unknown where they must be known, and those who call too often. */
async function admit(
  exchange: Exchange,
  { operation, address, shareId }: Arrival,
  settings: RouterSettings,
): Promise<Actor> {
  const { callLimits } = settings
  if (operation.isPublic) {
    await callLimits.takeOfAddress(operation, address)
    if (shareId === undefined) return anonymous
    const { asksWho = false } = operation.useCase.access.requirement
    return authenticateVisitor(exchange, settings, { shareId, asksWho })
  }
  try {
    const actor = await authenticateRequest(exchange, settings)
    exchange.userId = actor.userId
    await callLimits.takeOfUser(actor)
    return actor
  } catch (error) {
    // Guessing at credentials counts as well.
    if (exchange.userId === undefined) await callLimits.takeOfAddress(operation, address)
    throw error
  }
}

/** A call whose answer may be large. */
interface RecordsCall {
  readonly call: (more?: AnswerOptions) => Promise<unknown>
  readonly caller: string
  readonly need: AnswerNeed
}

/** Answers what may be large: in its turn, and bit by bit. It is tried with little memory first. */
async function answerRecords(
  exchange: Exchange,
  operation: Operation,
  records: RecordsCall,
  settings: RouterSettings,
): Promise<void> {
  const { response } = exchange
  const called = await callInTurn(response, records, settings)
  await answerMade(exchange, operation, called, settings)
}

/**
 * Answers a text as it is made: each part in its caller's turn, once the part before was taken. What one part takes counts
 * among all large answers until the end.
 */
async function answerText(
  exchange: Exchange,
  operation: Operation,
  { call, caller }: Pick<RecordsCall, 'call' | 'caller'>,
  { answers, answerTurns }: RouterSettings,
): Promise<void> {
  const { response } = exchange
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const endTurn = await answerTurns.enter(caller)
    try {
      requireOpen(response)
      return await work()
    } finally {
      endTurn()
    }
  }
  await openFor(response, answers.open(caller, limits.tentativeAnswerBytes))
  const text = (await inTurn(() => call())) as TextStream
  const headers = {
    'Content-Type': `${text.mediaType}; charset=utf-8`,
    'Content-Disposition': attachmentOf(text.fileName),
  }
  if (!exchange.begin(operation.status, headers)) return
  const parts = text[Symbol.asyncIterator]()
  try {
    await sendText(response, async () => (await inTurn(() => parts.next())).value)
  } finally {
    await parts.return?.()
  }
  exchange.log(operation.status)
}

/** Answers a long record: it counts among all large answers, and is made in its caller's turn. */
async function answerLong(
  exchange: Exchange,
  operation: Operation,
  result: unknown,
  caller: string,
  settings: RouterSettings,
): Promise<void> {
  const { response } = exchange
  const { answers, answerTurns } = settings
  const share = await openFor(response, answers.open(caller, limits.answerBytesPerRecord))
  const endTurn = await answerTurns.enter(caller)
  await answerMade(exchange, operation, { share, endTurn, result }, settings)
}

/** Makes JSON of what was answered, bit by bit, and sends it. */
async function answerMade(
  exchange: Exchange,
  operation: Operation,
  { share, endTurn, result }: Called,
  settings: RouterSettings,
): Promise<void> {
  let body: JsonBody
  try {
    body = await toJson(
      withoutVersion(result),
      () => settings.engine.giveWay(),
      (bytes) => share.grow(bytes),
    )
  } finally {
    endTurn()
  }
  share.keep(lengthOf(body))
  if (exchange.response.closed) share.end()
  await answerResult(exchange, operation, result, body, settings)
}

async function callInTurn(
  response: ServerResponse,
  { call, caller, need }: RecordsCall,
  { answers, answerTurns }: RouterSettings,
): Promise<Called> {
  const { likely, most, mayBeFewer, isUnsure } = need
  const isTried = likely && !(isUnsure && answers.isFreeFor(caller, most))
  // Writes wait for each other already, in the storage.
  const enter = async () => (mayBeFewer ? answerTurns.enter(caller) : () => {})
  const callWithLittle = (more?: AnswerOptions) =>
    callWithin(response, answers.open(caller, likely?.bytes), enter, () =>
      call({ ...(likely && { answerLength: likely.length }), ...more }),
    )
  const tried = isTried ? await callWithLittle() : undefined
  if (tried) return tried
  const waitMs = likely && mayBeFewer ? limits.longPageWaitSeconds * 1_000 : undefined
  let called: Called | undefined
  try {
    called = await callWithin(response, answers.open(caller, most, waitMs), enter, () => call())
  } catch (error) {
    if (waitMs === undefined || !isBusy(error)) throw error
    // Others take the memory: a page may end anywhere.
    called = await callWithLittle({ mayEndSooner: true })
  }
  assert(called, 'an answer of any length is allowed')
  return called
}

function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'service_busy'
}

/** What was answered, the share that its bytes have of the budget, and what ends the turn in which it is made. */
interface Called {
  readonly share: AnswerShare
  readonly endTurn: () => void
  readonly result: unknown
}

/**
 * Makes the call once it has its share, which ends with the response, and its turn. Undefined when its answer is longer
 * than it was allowed.
 */
async function callWithin(
  response: ServerResponse,
  opened: Promise<AnswerShare>,
  enter: () => Promise<() => void>,
  call: () => Promise<unknown>,
): Promise<Called | undefined> {
  const share = await openFor(response, opened)
  const endTurn = await enter()
  try {
    requireOpen(response)
    return { share, endTurn, result: await call() }
  } catch (error) {
    endTurn()
    if (!(error instanceof AnswerTooLong)) throw error
    share.end()
    return undefined
  }
}

/** The share, which ends with the response. */
async function openFor(
  response: ServerResponse,
  opened: Promise<AnswerShare>,
): Promise<AnswerShare> {
  const share = await opened
  response.once('close', share.end)
  if (response.closed) share.end()
  requireOpen(response)
  return share
}

/** Who left while they waited is told nothing, nor does anything for them begin. */
function requireOpen({ closed }: ServerResponse): void {
  if (closed) throw new ConnectionLost()
}

/** Whether the body will be no larger than one of an operation without credentials. */
function isSmall({ request }: Exchange, { isPublic }: Operation): boolean {
  return isPublic || Number(request.headers['content-length']) <= limits.publicBodyBytes
}

function requireFound(match: Match<Plan>, { response }: Exchange) {
  switch (match.kind) {
    case 'found':
      return { plan: match.value, params: match.params }
    case 'malformed':
      throw invalidAt(['path'], 'must be percent-encoded UTF-8')
    case 'other-method': {
      const allow = match.allow.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
      response.setHeader('Allow', allow.join(', '))
      throw new DomainError('method_not_allowed', `This path takes ${allow.join(', ')}`)
    }
    case 'absent':
      throw new DomainError('not_found', 'There is no operation at this path')
  }
}

async function readInput(
  exchange: Exchange,
  { operation, query: codec }: Plan,
  params: readonly string[],
  reading: Reading,
): Promise<ReadInput> {
  const { value, length, end } = await readSent(exchange, operation, codec, reading)
  const input = toMembers(value, operation)
  if (operation.fileMember !== undefined) {
    const { content, encoding } = openFile(exchange, reading)
    if (content) input[operation.fileMember] = content
    if (encoding !== undefined) input.encoding ??= encoding
  }
  for (const [index, name] of operation.pathMembers.entries()) input[name] = params[index]
  return { input, length, ...(end && { end }) }
}

interface ReadInput {
  readonly input: Record<string, unknown>
  /** Characters of the body. */
  readonly length: number
  /** To be called in the end, where something of the body may be left. */
  readonly end?: () => void
}

async function readSent(
  exchange: Exchange,
  operation: Operation,
  codec: QueryCodec,
  reading: Reading,
): Promise<{ readonly value: unknown } & Omit<ReadInput, 'input'>> {
  if (operation.hasQueryInput) return { value: codec.read(exchange.query), length: 0 }
  if (operation.body !== 'multipart') return readValue(exchange, operation, reading)
  const { members, end } = await readForm(exchange, reading)
  return { value: { ...members }, length: 0, end }
}

function toMembers(value: unknown, { bodyMember }: Operation): Record<string, unknown> {
  if (value === undefined) return {}
  if (bodyMember !== undefined) return { [bodyMember]: value }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidAt(['body'], 'must be a JSON object')
  }
  return value as Record<string, unknown>
}

/** The value of the body, undefined when there is none, and the characters that it had. */
async function readValue(
  exchange: Exchange,
  { carriesRecords }: Operation,
  reading: Reading,
): Promise<{ readonly value: unknown; readonly length: number }> {
  const body = await readBody(exchange, reading)
  if (body === undefined) return { value: undefined, length: 0 }
  const values = carriesRecords ? limits.jsonValues : limits.jsonValuesOfOthers
  if (typeof body === 'object') {
    requireLikeParsed(body.parsed, ['body'], { values })
    return { value: body.parsed, length: Number(exchange.request.headers['content-length']) || 0 }
  }
  const given = { values, onBytes: (bytes: number) => reading.share.take(bytes) }
  const { length } = body
  if (length < limits.bodyBytesInOneTurn) {
    return { value: parseJson(body, ['body'], given), length }
  }
  // Others are answered between the steps that a large body takes, and before what comes of it is checked.
  const value = await parseJsonInTurns(body, ['body'], given, reading.giveWay)
  await reading.giveWay()
  return { value, length }
}

function toOptions({ request: { headers } }: Exchange, address: string | undefined) {
  const userAgent = headers['user-agent']
  const ifMatch = parseIfMatch(headers['if-match'])
  const idempotencyKey = headers['idempotency-key']
  return {
    origin: {
      ...(address !== undefined && { address }),
      ...(userAgent !== undefined && { userAgent }),
    },
    ...(ifMatch !== undefined && { ifMatch }),
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
  }
}

/** Answers at once where the body is short. */
async function answerResult(
  exchange: Exchange,
  operation: Operation,
  result: unknown,
  body: JsonBody,
  settings: RouterSettings,
): Promise<void> {
  const headers = toCookieHeaders(operation, result, exchange, settings)
  const version = versionOf(result)
  if (version === undefined) {
    exchange.answer(operation.status, body, body === '' ? headers : { ...headers, ...json })
    return
  }
  const hash = typeof body === 'string' ? hashOf(body) : await hashInTurns(body, settings)
  const tag = toEntityTag(version, hash)
  const noneMatch = exchange.request.headers['if-none-match']
  if (exchange.method === 'GET' && noneMatch && isNoneMatch(noneMatch, tag)) {
    exchange.answer(304, '', { ...headers, ETag: tag })
  } else {
    exchange.answer(operation.status, body, { ...headers, ETag: tag, ...json })
  }
}

/** Characters of a hash that are told: 66 bits tell one body of a version from another. */
const hashLength = 11

/** Takes a microsecond where the body is small. */
function hashOf(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, hashLength)
}

/** The same of a body in parts. */
async function hashInTurns(
  parts: readonly Buffer[],
  { engine }: Pick<RouterSettings, 'engine'>,
): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) {
    hash.update(part)
    await engine.giveWay()
  }
  return hash.digest('base64url').slice(0, hashLength)
}

/** The version that a header tells; undefined for what has none. */
function versionOf(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  return 'version' in result && typeof result.version === 'number' ? result.version : undefined
}

/** The result as the body tells it: JSON leaves members out that are undefined. */
function withoutVersion(result: unknown): unknown {
  return versionOf(result) === undefined ? result : { ...(result as object), version: undefined }
}

const json: Headers = { 'Content-Type': 'application/json; charset=utf-8' }

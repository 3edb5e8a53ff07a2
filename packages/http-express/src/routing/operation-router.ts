import { isAlsoByGet, type Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { type Actor, anonymous } from '@gateleg/domain/access/actor'
import { callerOf } from '@gateleg/domain/access/caller-of'
import { CredentialEnded, isUnverified } from '@gateleg/domain/access/live-credentials'
import { ServedFile } from '@gateleg/domain/attachments/served-file'
import { assert, DomainError, invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { isLongOutput } from '@gateleg/domain/records/showing/long-outputs'
import { answerFile } from '../answers/answer-file.ts'
import { type AnswerOptions, needOf } from '../answers/answer-need.ts'
import { answerLong, answerRecords, type RecordsCall } from '../answers/answer-records.ts'
import { answerBrowser, answerResult, withoutVersion } from '../answers/answer-result.ts'
import { answerText } from '../answers/answer-text.ts'
import { authenticateRequest, authenticateVisitor } from '../callers/authenticate-request.ts'
import { callerSignal } from '../callers/caller-signal.ts'
import type { Standing } from '../callers/rate-limit.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { parseIfMatch } from '../exchange/preconditions.ts'
import { type InputPlan, isBrowsed, planInput, readInput } from './read-input.ts'
import { type Match, RouteTrie } from './route-trie.ts'
import type { RouterSettings } from './router-settings.ts'

/** Answers one request of the API; errors are thrown. */
export type OperationRouter = (exchange: Exchange, path: string) => Promise<void>

/** Creates the router of all operations: match, authenticate, read, call, answer. */
export function createOperationRouter(settings: RouterSettings): OperationRouter {
  const { reader } = settings
  const routes = new RouteTrie<InputPlan>()
  for (const operation of operations) {
    const plan = planInput(operation)
    routes.add(operation.method, operation.path, plan)
    if (operation.alsoBy) routes.add(operation.alsoBy, operation.path, plan)
    if (isAlsoByGet(operation)) routes.add('GET', operation.path, plan)
  }
  return async (exchange, path) => {
    const { plan, params } = requireFound(routes.match(exchange.method, path), exchange)
    const { operation } = plan
    exchange.route = operation.path
    exchange.operation = operation
    exchange.isBrowsed = isBrowsed(exchange, operation)
    const { address } = exchange
    const shareId = operation.isOfShare ? (params[0] ?? '') : undefined
    const isShort = isSmall(exchange, operation)
    const mayVerifyLater = isShort && plan.mayVerifyLater
    const arrival = { operation, address, shareId, mayVerifyLater }
    const actor = await admit(exchange, arrival, settings)
    const caller = callerOf(actor, address)
    const share = reader.budget.open({ caller, isSmall: isShort })
    let endInput: (() => void) | undefined
    try {
      const { input, length, end } = await readInput(exchange, plan, params, {
        reader,
        share,
        caller,
        most: reader.mostOf(operation),
        giveWay: () => settings.engine.giveWay(),
      })
      endInput = end
      const call = callOf(exchange, settings, { operation, actor, address, input })
      await answerCall(exchange, settings, { operation, call, caller, input, length })
    } finally {
      endInput?.()
      share.end()
    }
  }
}

/** What makes the call; it may be told how long its answer may be. */
function callOf(
  exchange: Exchange,
  settings: RouterSettings,
  { operation, actor, address, input }: AskedCall & Caller,
): RecordsCall['call'] {
  // What they wait for may be files elsewhere; of all others nobody asks.
  const signal = isOfFiles(operation) ? callerSignal(exchange) : undefined
  const options = { ...toOptions(exchange, address), ...(signal && { signal }) }
  const callAs = (caller: Actor, more?: AnswerOptions) =>
    settings.engine.call(operation.name, caller, input, { ...options, ...more })
  return (more) =>
    isUnverified(actor)
      ? callVerified(exchange, settings, actor, (caller) => callAs(caller, more))
      : callAs(actor, more)
}

/** Who calls, and from where: from no place where the connection was gone by then. */
interface Caller {
  readonly actor: Actor
  readonly address: string | undefined
}

/** A call of an operation that has been read. */
interface AskedCall {
  readonly operation: Operation
  readonly input: Record<string, unknown>
}

/** Makes the call, and answers it as its operation is answered: by a file, a text, records, a page or JSON. */
async function answerCall(
  exchange: Exchange,
  settings: RouterSettings,
  {
    operation,
    call,
    caller,
    input,
    length,
  }: AskedCall & Pick<RecordsCall, 'call' | 'caller'> & { readonly length: number },
): Promise<void> {
  if (operation.answersFile) {
    const file = await call()
    assert(file instanceof ServedFile, `${operation.name} answers a file`)
    return answerFile(exchange, file, String(input.path))
  }
  if (operation.answersText !== undefined) {
    return answerText(exchange, operation, { call, caller }, settings)
  }
  if (operation.answersRecords) {
    const need = needOf(operation, input, length)
    return answerRecords(exchange, operation, { call, caller, need }, settings)
  }
  const result = await call()
  if (exchange.isBrowsed) return answerBrowser(exchange, operation, result, settings)
  if (isLongOutput(result)) return answerLong(exchange, operation, result, caller, settings)
  const body = JSON.stringify(withoutVersion(result)) ?? ''
  return answerResult(exchange, operation, result, body, settings)
}

/** Calls as who came with the credential before; where it was changed since, as who comes with it now. */
async function callVerified(
  exchange: Exchange,
  settings: RouterSettings,
  recalled: Actor,
  callAs: (actor: Actor) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await callAs(recalled)
  } catch (error) {
    if (!(error instanceof CredentialEnded)) throw error
    return callAs(await authenticateRequest(exchange, settings))
  }
}

/** What a request asks for, and where it comes from. */
interface Arrival {
  readonly operation: Operation
  readonly address: string | undefined
  /** The share that its path names. */
  readonly shareId: string | undefined
  /** Whether the call may look the credential up. */
  readonly mayVerifyLater: boolean
}

/** Who calls; refuses callers that are unknown where they must be known, and those who call too often. */
async function admit(
  exchange: Exchange,
  { operation, address, shareId, mayVerifyLater }: Arrival,
  settings: RouterSettings,
): Promise<Actor> {
  const { callLimits } = settings
  const tell = ({ policy, left }: Standing) => {
    exchange.response.appendHeader('RateLimit-Policy', policy)
    exchange.response.appendHeader('RateLimit', left)
  }
  if (operation.isPublic) {
    await callLimits.takeOfAddress(operation, address, tell)
    if (shareId === undefined) return anonymous
    const { asksWho = false } = operation.useCase.access.requirement
    return authenticateVisitor(exchange, settings, { shareId, asksWho })
  }
  try {
    const actor = await authenticateRequest(exchange, settings, mayVerifyLater)
    exchange.userId = actor.userId
    settings.knownCallers.remember(exchange.request.headers, callerOf(actor, undefined))
    await callLimits.takeOfUser(actor, tell)
    return actor
  } catch (error) {
    // Guessing at credentials counts as well.
    if (exchange.userId === undefined) await callLimits.takeOfAddress(operation, address, tell)
    throw error
  }
}

/** Whether it takes a file, or answers one. */
function isOfFiles({ body, answersFile }: Operation): boolean {
  return body === 'multipart' || answersFile === true
}

/** Whether the body will be no larger than one of an operation without credentials. */
function isSmall({ request }: Exchange, { isPublic }: Operation): boolean {
  return isPublic || Number(request.headers['content-length']) <= limits.publicBodyBytes
}

function requireFound(match: Match<InputPlan>, { response }: Exchange) {
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

function toOptions({ request: { headers } }: Exchange, address: string | undefined) {
  const userAgent = headers['user-agent']
  const ifMatch = parseIfMatch(headers['if-match'])
  const idempotencyKey = headers['idempotency-key']
  const windowId = headers['x-window-id']
  return {
    origin: {
      ...(address !== undefined && { address }),
      ...(userAgent !== undefined && { userAgent }),
    },
    ...(ifMatch !== undefined && { ifMatch }),
    ...(typeof idempotencyKey === 'string' && { idempotencyKey }),
    ...(typeof windowId === 'string' && { windowId }),
  }
}

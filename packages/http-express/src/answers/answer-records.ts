import type { ServerResponse } from 'node:http'
import type { Operation } from '@gateleg/contract/operation'
import { AnswerTooLong } from '@gateleg/domain/answers/answer-too-long'
import { assert, DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { type Exchange, lengthOf } from '../exchange/exchange.ts'
import { type JsonBody, toJson } from '../exchange/json-parts.ts'
import type { AnswerShare } from './answer-budget.ts'
import type { AnswerNeed, AnswerOptions } from './answer-need.ts'
import { answerResult, withoutVersion } from './answer-result.ts'
import type { AnswerSettings } from './answer-settings.ts'
import { openFor, requireOpen } from './open-answer-share.ts'

/** A call whose answer may be large. */
export interface RecordsCall {
  readonly call: (more?: AnswerOptions) => Promise<unknown>
  readonly caller: string
  readonly need: AnswerNeed
}

/** Sends an answer that may be large, in its caller's turn and piece by piece. It is tried with little memory first. */
export async function answerRecords(
  exchange: Exchange,
  operation: Operation,
  records: RecordsCall,
  settings: AnswerSettings,
): Promise<void> {
  const { response } = exchange
  const called = await callInTurn(response, records, settings)
  await answerMade(exchange, operation, called, settings)
}

/** Sends a long record: it counts among all large answers, and is made in its caller's turn. */
export async function answerLong(
  exchange: Exchange,
  operation: Operation,
  result: unknown,
  caller: string,
  settings: AnswerSettings,
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
  settings: AnswerSettings,
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
  { answers, answerTurns }: AnswerSettings,
): Promise<Called> {
  const { likely, most, mayBeFewer, isUnsure } = need
  const isTried = likely && !(isUnsure && answers.isFreeFor(caller, most))
  // Writes wait for each other already, in the storage.
  const enter = () => (mayBeFewer ? answerTurns.enter(caller) : noTurn)
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

/** In place of a turn where none is taken: what ends it. */
const noTurn = () => {}

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
  enter: () => Promise<() => void> | (() => void),
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

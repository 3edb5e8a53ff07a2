import { parseJson, parseJsonInTurns } from '@gateleg/contract/json/parse-json'
import { requireLikeParsed } from '@gateleg/contract/json/require-like-parsed'
import { isAlsoByGet, notInQuery, type Operation } from '@gateleg/contract/operation'
import { type QueryCodec, queryCodecOf } from '@gateleg/contract/queries/query-codec'
import { invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { takeBasicProof } from '../answers/oauth-answers.ts'
import { openAnyFile, openFile } from '../bodies/open-file.ts'
import { isForm, type Reading, readBody } from '../bodies/read-body.ts'
import { readForm } from '../bodies/read-form.ts'
import { readFlowCookie } from '../callers/session-cookie.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { takesPages } from '../pages/sign-in-pages.ts'

/** An operation with everything about reading its input that can be prepared before the first request. */
export interface InputPlan {
  readonly operation: Operation
  readonly query: QueryCodec
  /**
   * Whether the call may look the credential up, rather than what comes before it: not where something is prepared, read or
   * sent before or after the call's transaction.
   */
  readonly mayVerifyLater: boolean
}

/** Prepares reading the inputs of an operation. */
export function planInput(operation: Operation): InputPlan {
  const { useCase, answersFile, answersText, fileMember } = operation
  return {
    operation,
    query: queryCodecOf(useCase.input, notInQuery(operation)),
    mayVerifyLater:
      !('prepare' in useCase && useCase.prepare) &&
      !answersFile &&
      answersText === undefined &&
      fileMember === undefined,
  }
}

/**
 * Reads the input of an operation from the query string or the body, and from the parameters of the path, which take
 * precedence.
 */
export async function readInput(
  exchange: Exchange,
  { operation, query: codec }: InputPlan,
  params: readonly string[],
  reading: Reading,
): Promise<ReadInput> {
  const { value, length, end } = await readSent(exchange, operation, codec, reading)
  const input = toMembers(value, operation)
  if (operation.fileMember !== undefined && operation.takesAnyFile) {
    const { content, contentType } = openAnyFile(exchange, reading)
    input[operation.fileMember] = content
    input.contentType = contentType
  } else if (operation.fileMember !== undefined) {
    const { content, encoding } = openFile(exchange, reading, operation.fileType)
    if (content !== undefined) input[operation.fileMember] = content
    if (encoding !== undefined) input.encoding ??= encoding
  }
  if (operation.cookie === 'finishes') takeFlow(exchange, input)
  if (operation.speaksOAuth) takeBasicProof(exchange, input)
  for (const [index, name] of operation.pathMembers.entries()) input[name] = params[index]
  return { input, length, ...(end && { end }) }
}

/** Whether a browser follows a link, looks at a page or sends its form, where programs call the operation. */
export function isBrowsed({ method, request }: Exchange, operation: Operation): boolean {
  const { headers } = request
  if (isAlsoByGet(operation)) return method === 'GET'
  if (!operation.isForPeople) return false
  return method === 'GET' ? takesPages(headers) : isForm(headers['content-type'])
}

/**
 * The flow is what the browser began: that of its cookie. A link may say no other one, or whoever made the link would have somebody else
 * finish what they began themselves.
 */
function takeFlow(exchange: Exchange, input: Record<string, unknown>): void {
  const { cookie } = exchange.request.headers
  const flow = cookie && readFlowCookie(cookie)
  if (flow || exchange.isBrowsed) input.flow = flow || undefined
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
  if (operation.hasQueryInput || exchange.method === 'GET')
    return { value: codec.read(exchange.query), length: 0 }
  if (operation.takesForm && isForm(exchange.request.headers['content-type'])) {
    return readTexts(exchange, codec, reading)
  }
  if (operation.body !== 'multipart') return readValue(exchange, operation, reading)
  const { members, end } = await readForm(exchange, reading)
  return { value: { ...members }, length: 0, end }
}

/** The members of a form of texts. */
async function readTexts(exchange: Exchange, codec: QueryCodec, reading: Reading) {
  const body = await readBody(exchange, reading, 'form')
  if (typeof body === 'string') return { value: codec.read(body), length: body.length }
  return { value: body?.parsed, length: 0 }
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

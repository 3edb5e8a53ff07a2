import type { Api } from '@gateleg/domain/api'
import type { CallOptions } from '@gateleg/domain/call'
import { DomainError } from '@gateleg/domain/errors'
import { parseEntityTag, toEntityTag } from './entity-tag.ts'
import { errorEnvelope } from './error-envelope.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { queryCodecOf } from './query-codec.ts'

export interface ClientOptions {
  /** Ends in `/api`: `http://127.0.0.1:3000/api`. */
  readonly baseUrl: string
  /** An access token; none for sign-up and sign-in. */
  readonly token?: string
  /** Sends the requests; the platform's own when not given. */
  readonly fetch?: typeof fetch
}

/**
 * All operations of a server, with the same names, types and errors as in process. Answers 5xx that
 * are no envelope (a proxy's) reject with an Error.
 */
export function createClient(options: ClientOptions): Api {
  const api: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const [feature = '', name = ''] = operation.name.split('.')
    api[feature] = { ...api[feature], [name]: toClientCall(operation, options) }
  }
  return api as unknown as Api
}

type Input = Readonly<Record<string, unknown>>

function toClientCall(operation: Operation, options: ClientOptions) {
  const { method, pathMembers, hasQueryInput, useCase } = operation
  const codec = queryCodecOf(useCase.input, pathMembers)
  const send = options.fetch ?? fetch
  return async (input: Input = {}, callOptions: CallOptions = {}): Promise<unknown> => {
    const path = toPath(operation, input)
    const query = hasQueryInput ? codec.write(input) : ''
    const rest = Object.entries(input).filter(([name]) => !pathMembers.includes(name))
    const response = await send(`${options.baseUrl}${path}${query && `?${query}`}`, {
      method,
      headers: toHeaders(hasQueryInput, options, callOptions),
      ...(!hasQueryInput && { body: JSON.stringify(Object.fromEntries(rest)) }),
    })
    return readAnswer(response)
  }
}

function toPath({ path, pathMembers }: Operation, input: Input): string {
  return pathMembers.reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, () => encodeURIComponent(String(input[name]))),
    path,
  )
}

function toHeaders(
  hasQueryInput: boolean,
  { token }: ClientOptions,
  { ifMatch, idempotencyKey }: CallOptions,
): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(!hasQueryInput && { 'Content-Type': 'application/json' }),
    ...(ifMatch !== undefined && {
      'If-Match': ifMatch.map((version) => toEntityTag(version)).join(', '),
    }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw toError(response, text)
  if (text === '') return undefined
  const answer: unknown = JSON.parse(text)
  const version = parseEntityTag(response.headers.get('ETag') ?? '')
  return version === undefined ? answer : { ...(answer as object), version }
}

function toError(response: Response, text: string): Error {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  const envelope = errorEnvelope.safeParse(isJson ? JSON.parse(text) : undefined)
  if (!envelope.success) return new Error(`The server answered ${response.status}`)
  const { code, message, data } = envelope.data
  return new DomainError(code, message, data)
}

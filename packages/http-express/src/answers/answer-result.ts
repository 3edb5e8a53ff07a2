import { createHash, hash } from 'node:crypto'
import { toEntityTag } from '@gateleg/contract/entity-tag'
import type { Operation } from '@gateleg/contract/operation'
import { assert } from '@gateleg/domain/errors'
import { toCookieHeaders } from '../callers/cookie-headers.ts'
import { isLedByOthers } from '../callers/same-site.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { JsonBody } from '../exchange/json-parts.ts'
import { isNoneMatch } from '../exchange/preconditions.ts'
import { type AskedAuthorization, consentPage } from '../pages/consent-page.ts'
import { askingHeaders, askingPage } from '../pages/sign-in-pages.ts'
import { consentHeaders, type Headers } from '../security-headers.ts'
import type { AnswerSettings } from './answer-settings.ts'

/** Sends a result, at once where the body is short. */
export async function answerResult(
  exchange: Exchange,
  operation: Operation,
  result: unknown,
  body: JsonBody,
  settings: AnswerSettings,
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

/** Shows a browser what the operation answers, or sends it to where that says; one that others may have led here is asked before it begins anything. */
export function answerBrowser(
  exchange: Exchange,
  operation: Operation,
  result: unknown,
  settings: AnswerSettings,
): void {
  if (operation.redirectsTo === undefined) {
    const asked = result as AskedAuthorization
    exchange.answer(200, consentPage(asked), consentHeaders(settings.isHttps, asked.redirectUri))
    return
  }
  const place = (result as Readonly<Record<string, unknown>>)[operation.redirectsTo ?? '']
  assert(typeof place === 'string', 'an operation that redirects answers where to')
  const { request, path } = exchange
  const isBegun = operation.cookie === 'begins'
  if (isBegun && isLedByOthers(request.headers, settings.publicHost, path)) {
    exchange.answer(200, askingPage(place, exchange.query), askingHeaders)
    return
  }
  const cookies = toCookieHeaders(operation, result, exchange, settings)
  // After a form the browser is to go on by GET, and to send the form nowhere else.
  const status = exchange.method === 'POST' ? 303 : 302
  exchange.answer(status, '', { Location: toHeaderUrl(place), ...cookies })
}

/** The URL as headers can have it (RFC 9110, 10.2.2): a place that an app has registered may be written with other letters. */
function toHeaderUrl(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) || !URL.canParse(url) ? url : new URL(url).href
}

/** Characters of a hash that are told: 66 bits tell one body of a version from another. */
const hashLength = 11

/** Takes a microsecond where the body is small. */
function hashOf(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, hashLength)
}

/** The hash of a body in parts, between which others have their turn. */
async function hashInTurns(
  parts: readonly Buffer[],
  { engine }: Pick<AnswerSettings, 'engine'>,
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

/** The result as it is in the body, without its version: JSON leaves undefined members out. */
export function withoutVersion(result: unknown): unknown {
  return versionOf(result) === undefined ? result : { ...(result as object), version: undefined }
}

const json: Headers = { 'Content-Type': 'application/json; charset=utf-8' }

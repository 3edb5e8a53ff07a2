import { invalidAt } from '../errors.ts'
import { findUnknownOption, type KnownNames } from '../input/require-known-options.ts'
import { limits } from '../limits.ts'
import type { Origin } from '../use-case.ts'

/** The options of a call: conditions for making it, and limits of its answer. */
export interface CallOptions {
  readonly origin?: Origin
  /**
   * The call is made only if the addressed resource has one of these versions; else `precondition_failed`. For a call
   * that changes several records or fields: one version that each must have, or one version for each in the order of
   * the call; `validation_error` for another number of versions.
   */
  readonly ifMatch?: readonly number[]
  /** For 24 hours, a call of the same caller with the same key changes nothing and gets the answer of the first call. */
  readonly idempotencyKey?: string
  /**
   * The id of the browser window, or the like, in which the caller works; the caller chooses it. What the call changes
   * can be undone in the same window. Changes of calls without a window can't be undone.
   */
  readonly windowId?: string
  /**
   * The most bytes of records, as JSON, that the call may answer. Where there would be more, `AnswerTooLong` is thrown and
   * nothing is changed. Use cases without `endsAtLength` ignore it.
   */
  readonly answerLength?: number
  /**
   * Whether a list that would exceed `answerLength` is cut off there, with a cursor to the rest, instead of failing.
   */
  readonly mayEndSooner?: boolean
  /**
   * Aborts slow work outside of the storage, such as fetching a file, when nobody waits for the answer any more: the call
   * rejects with the reason of the signal. A call whose transaction has begun is finished.
   */
  readonly signal?: AbortSignal
}

const optionNames: KnownNames<CallOptions> = {
  ifMatch: true,
  idempotencyKey: true,
  windowId: true,
  origin: true,
  answerLength: true,
  mayEndSooner: true,
  signal: true,
}

/**
 * Throws validation_error for invalid and for unknown options of a call: otherwise a misspelt option would be ignored,
 * and the call made without its condition or key. A program in plain JavaScript has no compiler that finds this.
 */
export function requireCallOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidAt(['options'], 'must be an object, such as { ifMatch: [3] }')
  }
  const unknown = findUnknownOption(options, optionNames)
  if (unknown) throw invalidAt([unknown.name], `is not an option of a call: ${unknown.hint}`)
  const { ifMatch, idempotencyKey, windowId, origin, answerLength, mayEndSooner, signal } =
    options as Readonly<Record<string, unknown>>
  if (ifMatch !== undefined && !isVersions(ifMatch)) {
    throw invalidAt(['ifMatch'], 'must be a list of versions, such as [3]')
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw invalidAt(['idempotencyKey'], 'must be text')
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidAt(['signal'], 'must be an AbortSignal')
  }
  if (windowId !== undefined && !isWindowId(windowId)) {
    const most = limits.windowIdLength
    throw invalidAt(['X-Window-Id'], `must be 1 to ${most} visible ASCII characters without spaces`)
  }
  if (origin !== undefined && !isCallOrigin(origin)) {
    throw invalidAt(['origin'], 'must be an object of texts, such as { address, userAgent }')
  }
  if (answerLength !== undefined && !isLength(answerLength)) {
    throw invalidAt(['answerLength'], 'must be a number of bytes, 0 or more')
  }
  if (mayEndSooner !== undefined && typeof mayEndSooner !== 'boolean') {
    throw invalidAt(['mayEndSooner'], 'must be true or false')
  }
}

function isCallOrigin(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { address, userAgent } = value as Readonly<Record<string, unknown>>
  return [address, userAgent].every((one) => one === undefined || typeof one === 'string')
}

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

function isWindowId(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > limits.windowIdLength) return false
  return /^[\x21-\x7e]+$/.test(value)
}

function isVersions(value: unknown): boolean {
  return Array.isArray(value) && value.every((version) => Number.isInteger(version))
}

import { invalidAt } from './errors.ts'
import { limits } from './limits.ts'
import { findUnknownOption, type KnownNames } from './require-known-options.ts'
import type { Origin } from './use-case.ts'

/** Who calls, and under which conditions. */
export interface CallOptions {
  readonly origin?: Origin
  /**
   * Versions one of which the addressed resource must have; `precondition_failed` when it has not. Where a call
   * names several records or fields to change: one version that each must have, or as many as it names, in its
   * order; `validation_error` for another number.
   */
  readonly ifMatch?: readonly number[]
  /** Makes a repeated call answer what the first one did, for 24 hours. */
  readonly idempotencyKey?: string
  /**
   * In which window of theirs the caller makes the call, by an id of their choice: what it changes can be undone
   * there. Nothing is kept of calls without one.
   */
  readonly windowId?: string
  /**
   * How many bytes of records, as JSON, the call may answer: beyond that `AnswerTooLong` is thrown, and nothing is
   * changed. Only use cases with `endsAtLength` obey it.
   */
  readonly answerLength?: number
  /**
   * Whether a list that is longer than `answerLength` ends there, with a cursor to the next page, instead of failing.
   */
  readonly mayEndSooner?: boolean
  /**
   * Says that nobody waits for the answer any more: what takes long outside of the storage, such as fetching a file, then ends
   * with the reason of the signal. A call that has come to its transaction goes on.
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

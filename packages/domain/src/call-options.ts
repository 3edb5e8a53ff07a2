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
   * Bytes, as JSON, of the records that it may answer: `AnswerTooLong` is thrown beyond, and nothing is changed.
   * Obeyed by use cases that say so (`endsAtLength`), and by no others.
   */
  readonly answerLength?: number
  /** Whether a list that is longer than that ends there, with a cursor that leads on, in place of failing. */
  readonly mayEndSooner?: boolean
}

const optionNames: KnownNames<CallOptions> = {
  ifMatch: true,
  idempotencyKey: true,
  windowId: true,
  origin: true,
  answerLength: true,
  mayEndSooner: true,
}

/**
 * Throws validation_error for options of a call that are none, and for one that there isn't: without its
 * condition or its key a call would be made all the same, and a program in plain JavaScript has no compiler that
 * tells it.
 */
export function requireCallOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidAt(['options'], 'must be an object, such as { ifMatch: [3] }')
  }
  const unknown = findUnknownOption(options, optionNames)
  if (unknown) throw invalidAt([unknown.name], `is not an option of a call: ${unknown.hint}`)
  const { ifMatch, idempotencyKey, windowId } = options as Readonly<Record<string, unknown>>
  if (ifMatch !== undefined && !isVersions(ifMatch)) {
    throw invalidAt(['ifMatch'], 'must be a list of versions, such as [3]')
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw invalidAt(['idempotencyKey'], 'must be text')
  }
  if (windowId !== undefined && !isWindowId(windowId)) {
    const most = limits.windowIdLength
    throw invalidAt(['X-Window-Id'], `must be 1 to ${most} visible ASCII characters without spaces`)
  }
}

function isWindowId(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > limits.windowIdLength) return false
  return /^[\x21-\x7e]+$/.test(value)
}

function isVersions(value: unknown): boolean {
  return Array.isArray(value) && value.every((version) => Number.isInteger(version))
}

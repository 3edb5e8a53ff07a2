/**
 * What went wrong, seen from the caller. Adapters decide from the kind alone how to say it
 * (HTTP: one status per kind), so a new code never needs a new adapter.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment-required'
  | 'forbidden'
  | 'absent'
  | 'method-not-allowed'
  | 'timeout'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported-type'
  | 'unsatisfiable-range'
  | 'unprocessable'
  | 'failed-dependency'
  | 'too-many'
  | 'limit-exceeded'
  | 'internal'
  | 'unavailable'
  | 'out-of-space'

/** The closed list of error codes. A code is part of the interface: never renamed, never reused. */
export const errorCodes = {
  validation_error: 'invalid',
  invalid_captcha: 'invalid',
  invalid_credentials: 'invalid',
  unauthorized: 'unauthenticated',
  unauthorized_share: 'unauthenticated',
  payment_required: 'payment-required',
  restricted_resource: 'forbidden',
  not_found: 'absent',
  view_not_found: 'absent',
  method_not_allowed: 'method-not-allowed',
  request_timeout: 'timeout',
  conflict: 'conflict',
  precondition_failed: 'precondition-failed',
  payload_too_large: 'too-large',
  unsupported_media_type: 'unsupported-type',
  range_not_satisfiable: 'unsatisfiable-range',
  unprocessable_entity: 'unprocessable',
  failed_dependency: 'failed-dependency',
  too_many_requests: 'too-many',
  user_limit_exceeded: 'limit-exceeded',
  internal_server_error: 'internal',
  database_connection_unavailable: 'unavailable',
  service_busy: 'unavailable',
  insufficient_storage: 'out-of-space',
} as const satisfies Record<string, ErrorKind>

/** What went wrong, for programs. */
export type ErrorCode = keyof typeof errorCodes

/** One reason why an input was refused: where it is, and what would be right there. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Machine-readable details of an error; always safe to show to the caller. */
export interface ErrorData {
  readonly issues?: readonly Issue[]
  readonly retryAfterSeconds?: number
  readonly incidentId?: string
  readonly [detail: string]: unknown
}

/**
 * The only error that may reach a caller. The message says what was wrong and what would be right;
 * it never holds SQL, a stack or a path of the file system.
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly data: ErrorData | undefined

  constructor(code: ErrorCode, message: string, data?: ErrorData) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.data = data
  }

  get kind(): ErrorKind {
    return errorCodes[this.code]
  }
}

/**
 * Whether the error of a write says that nothing of it stays. Of any other failure nobody knows that, nor of a storage that gave
 * no answer: it may have committed before the connection was lost.
 */
export function changedNothing(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code !== 'database_connection_unavailable'
}

/** `service_busy`, for who may try again after so many seconds, which are two at least. */
export function serviceBusy(why: string, retryAfterSeconds: number): DomainError {
  const message = `${why}: try again in ${retryAfterSeconds} seconds`
  return new DomainError('service_busy', message, { retryAfterSeconds })
}

/** A `validation_error` that carries its issues; the message is the issues in one line. */
export function invalid(issues: readonly Issue[]): DomainError {
  const message = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
  return new DomainError('validation_error', message, { issues })
}

/** A `validation_error` about one place of the input. */
export function invalidAt(path: readonly (string | number)[], message: string): DomainError {
  return invalid([{ path, message }])
}

/**
 * `not_found`, said the same way for every resource, so that absent and hidden can't be told apart. With a
 * path, the place of the input that names it is told as an issue; the advice says what may have been meant.
 */
export function notFound(
  what: string,
  id: string,
  path?: Issue['path'],
  advice?: string,
): DomainError {
  const sentence = `There is no ${what} "${id.slice(0, 80)}" that you can see`
  const message = advice === undefined ? sentence : `${sentence}: ${advice}`
  const data = path && { issues: [{ path, message }] }
  return new DomainError('not_found', message, data)
}

/** Detects our own mistakes, never the caller's: a failed assertion is a bug and ends in a 500. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`)
}

import type { ErrorEnvelope } from '@gateleg/contract/error-envelope'
import { DomainError, type ErrorKind } from '@gateleg/domain/errors'

/** The status for each kind of error; it is decided nowhere else. */
export const statusByKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  'payment-required': 402,
  forbidden: 403,
  absent: 404,
  'method-not-allowed': 405,
  timeout: 408,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-type': 415,
  'unsatisfiable-range': 416,
  unprocessable: 422,
  'failed-dependency': 424,
  'too-many': 429,
  'limit-exceeded': 460,
  internal: 500,
  unavailable: 503,
  'out-of-space': 507,
}

/** Seconds after which to try again, where the error doesn't say. */
const retryAfterSecondsDefault = 1

/** The answer for an error. */
interface ErrorAnswer {
  readonly envelope: ErrorEnvelope
  /** For the `Retry-After` header. */
  readonly retryAfterSeconds?: number
}

/** Makes the answer for an error that callers may see. */
export function toErrorAnswer(error: DomainError): ErrorAnswer {
  const { message, code, data, kind } = error
  const status = statusByKind[kind]
  const envelope = { message, status, code, ...(data && { data }) }
  if (kind !== 'too-many' && kind !== 'unavailable') return { envelope }
  return { envelope, retryAfterSeconds: data?.retryAfterSeconds ?? retryAfterSecondsDefault }
}

/** Makes the answer for an unexpected failure: callers learn only the id under which the log has it. */
export function toIncident(incidentId: string): DomainError {
  return new DomainError(
    'internal_server_error',
    'Something failed in the service, and nothing was changed: tell its operator the incident id',
    { incidentId },
  )
}

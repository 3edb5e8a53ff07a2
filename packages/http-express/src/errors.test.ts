import { DomainError, type ErrorCode, errorCodes } from '@gateleg/domain/errors'
import { expect, test } from 'vitest'
import { toErrorAnswer } from './errors.ts'

/** The statuses that the interface promises, by code. */
const promised: Readonly<Record<ErrorCode, number>> = {
  validation_error: 400,
  invalid_captcha: 400,
  invalid_credentials: 400,
  unauthorized: 401,
  payment_required: 402,
  restricted_resource: 403,
  not_found: 404,
  view_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unprocessable_entity: 422,
  failed_dependency: 424,
  too_many_requests: 429,
  user_limit_exceeded: 460,
  internal_server_error: 500,
  database_connection_unavailable: 503,
  service_busy: 503,
  insufficient_storage: 507,
}

test('[HTTP-20] answers every code with the status that is promised', () => {
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    expect(toErrorAnswer(new DomainError(code, 'A message')).envelope).toEqual({
      message: 'A message',
      status: promised[code],
      code,
    })
  }
})

test('[HTTP-22] says when to try again, and that the error itself may say it', () => {
  const retry = (code: ErrorCode, seconds?: number) =>
    toErrorAnswer(
      new DomainError(
        code,
        'x',
        seconds === undefined ? undefined : { retryAfterSeconds: seconds },
      ),
    ).retryAfterSeconds
  expect(retry('too_many_requests')).toBe(1)
  expect(retry('too_many_requests', 900)).toBe(900)
  expect(retry('database_connection_unavailable', 3)).toBe(3)
  expect(retry('conflict', 3)).toBeUndefined()
})

import { errorResponses } from '@gateleg/contract/openapi/error-responses'
import {
  DomainError,
  type ErrorCode,
  type ErrorData,
  errorCodes,
  invalid,
} from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { expect, test } from 'vitest'
import { bodyTooLarge } from './bodies/body-reader.ts'
import { toErrorAnswer, toIncident } from './errors.ts'

/** The statuses that the interface promises, by code. */
const promised: Readonly<Record<ErrorCode, number>> = {
  validation_error: 400,
  invalid_captcha: 400,
  invalid_credentials: 400,
  unauthorized: 401,
  unauthorized_share: 401,
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

test('[CONTRACT-18] [HTTP-20] answers errors as the documentation shows them', () => {
  for (const { example } of Object.values(errorResponses)) {
    const { code, message, data } = example
    expect(toErrorAnswer(new DomainError(code, message, data)).envelope).toEqual(example)
  }
  const { message, data } = errorResponses[400]?.example ?? {}
  expect(message).toBe(invalid((data as ErrorData).issues ?? []).message)
  expect(errorResponses[413]?.example.message).toBe(bodyTooLarge(limits.jsonBodyBytes).message)
  expect(errorResponses[500]?.example).toEqual(
    toErrorAnswer(toIncident(String(errorResponses[500]?.example.data?.incidentId))).envelope,
  )
})

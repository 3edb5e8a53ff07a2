import type { Issue } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import type { ErrorEnvelope } from '../error-envelope.ts'

/** What an error status means, with an answer as a server gives it. */
interface ErrorResponse {
  readonly description: string
  readonly example: ErrorEnvelope
}

const blankName: Issue = { path: ['name'], message: 'must not be blank' }

/** The statuses of errors that the document describes. */
export const errorResponses: Readonly<Record<number, ErrorResponse>> = {
  400: {
    description: 'The request is not valid',
    example: {
      message: 'name: must not be blank',
      status: 400,
      code: 'validation_error',
      data: { issues: [blankName] },
    },
  },
  401: {
    description: 'No credential, or one that is unknown, expired or revoked',
    example: {
      message: 'Sign in, or send an access token in the Authorization header',
      status: 401,
      code: 'unauthorized',
    },
  },
  402: {
    description: 'The level of the space has no room for it, or does not include it',
    example: {
      message:
        'The level "free" of this space does not include this (automationEnable): the space needs a higher level',
      status: 402,
      code: 'payment_required',
      data: { limit: 'automationEnable', level: 'free' },
    },
  },
  403: {
    description: 'The role, the scopes of the token, or the instance, do not allow it',
    example: {
      message: 'The access token lacks the scope "record|create"',
      status: 403,
      code: 'restricted_resource',
    },
  },
  404: {
    description: 'There is no such resource that the caller can see',
    example: {
      message: 'There is no table "tblxK3vQ8mZ1pT6wR01" that you can see',
      status: 404,
      code: 'not_found',
    },
  },
  408: {
    description: 'The body arrived too slowly',
    example: {
      message: 'The body arrived too slowly: send it again',
      status: 408,
      code: 'request_timeout',
    },
  },
  409: {
    description: 'It clashes with what is there',
    example: {
      message: '"ada@example.com" is already registered: sign in instead',
      status: 409,
      code: 'conflict',
    },
  },
  412: {
    description: 'The resource has changed since the version in If-Match',
    example: {
      message: 'The resource has changed since you read it: read it again',
      status: 412,
      code: 'precondition_failed',
    },
  },
  413: {
    description: 'The body is too large',
    example: {
      message: `The body may have ${limits.jsonBodyBytes} bytes at most here: send it in parts`,
      status: 413,
      code: 'payload_too_large',
    },
  },
  415: {
    description: 'The body is not of the type that the operation takes',
    example: {
      message: 'The body must be JSON, with the header Content-Type: application/json',
      status: 415,
      code: 'unsupported_media_type',
    },
  },
  416: {
    description: 'The file ends before the part that is asked for',
    example: {
      message: 'The file has 6 bytes',
      status: 416,
      code: 'range_not_satisfiable',
    },
  },
  422: {
    description: 'The request contradicts an earlier one',
    example: {
      message:
        'This Idempotency-Key was used for a different request before: use a new key for each new request',
      status: 422,
      code: 'unprocessable_entity',
    },
  },
  424: {
    description:
      'A service that the operation needs (the mail server, the captcha) failed, or did not answer',
    example: {
      message: 'The mail could not be sent: check the address, or try again in a while',
      status: 424,
      code: 'failed_dependency',
    },
  },
  429: {
    description: 'Too many calls or tries; see Retry-After',
    example: {
      message: 'Too many requests: try again in 2 seconds',
      status: 429,
      code: 'too_many_requests',
      data: { retryAfterSeconds: 2 },
    },
  },
  500: {
    description: 'A defect of the service; the incident id is in its log',
    example: {
      message:
        'Something failed in the service, and nothing was changed: tell its operator the incident id',
      status: 500,
      code: 'internal_server_error',
      data: { incidentId: 'incxK3vQ8mZ1pT6wR01' },
    },
  },
  503: {
    description: 'The storage is out of reach for now; see Retry-After',
    example: {
      message: 'There is no connection to the storage: try again',
      status: 503,
      code: 'database_connection_unavailable',
      data: { retryAfterSeconds: 1 },
    },
  },
  507: {
    description: 'The storage is full',
    example: {
      message: 'The storage is full: nothing was changed',
      status: 507,
      code: 'insufficient_storage',
    },
  },
}

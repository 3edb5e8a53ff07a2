import { DomainError } from '@gateleg/domain/errors'
import type { Response } from 'express'

/** What a server of files couldn't meet, as an error for callers. Takes back what it said of the file. */
export function toFileRefusal(error: unknown, response: Response): unknown {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  const refusal =
    status === 416
      ? new DomainError('range_not_satisfiable', 'The file has no bytes in the requested range')
      : status === 412
        ? new DomainError(
            'precondition_failed',
            'The file is not the version that the condition of the request names',
          )
        : undefined
  if (!refusal) return error
  for (const name of ['Accept-Ranges', 'ETag', 'Last-Modified']) response.removeHeader(name)
  return refusal
}

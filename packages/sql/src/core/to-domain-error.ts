import { DomainError } from '@gateleg/domain/errors'
import { SqlFailure } from './connection.ts'

/**
 * The error that a caller may see for a failure that no repository handled: the storage can't be reached, is damaged or
 * out of space; the cause goes to the log. Every other error is a defect of ours, is passed on unchanged, and becomes a
 * 500.
 */
export function toDomainError(error: unknown): unknown {
  if (!(error instanceof SqlFailure)) return error
  const answer = toAnswer(error)
  if (!answer) return error
  answer.cause = error
  return answer
}

function toAnswer({ kind }: SqlFailure): DomainError | undefined {
  if (kind === 'unavailable' || kind === 'contended') {
    return new DomainError('database_connection_unavailable', 'The storage is busy: try again', {
      retryAfterSeconds: 1,
    })
  }
  // It was run again and again, and each time others had changed a table meanwhile: nothing of it stays.
  if (kind === 'outdated') {
    return new DomainError('service_busy', 'Others change the tables now: try again in a moment', {
      retryAfterSeconds: 1,
    })
  }
  if (kind === 'unreachable') {
    return new DomainError(
      'database_connection_unavailable',
      'There is no connection to the storage: try again',
      { retryAfterSeconds: 1 },
    )
  }
  if (kind === 'unreadable') {
    return new DomainError(
      'database_connection_unavailable',
      "The storage can't be read: the operator of the service finds the cause in the log",
      { retryAfterSeconds: 60 },
    )
  }
  if (kind === 'full') {
    return new DomainError('insufficient_storage', 'The storage is full: nothing was changed')
  }
  return undefined
}

import { DomainError } from '@gateleg/domain/errors'
import { SqlFailure } from './connection.ts'

/**
 * What a caller may know of a failure that no repository answered: that the storage is out of reach,
 * damaged or out of space; its cause is for the log. Everything else stays what it is, a defect of ours, and
 * becomes a 500 further up.
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

import { DomainError, invalidAt } from '@gateleg/domain/errors'
import { SqlFailure, type SqlFailureKind } from './connection.ts'

/** A write that the storage has refused, though its checks found nothing: the error names no place of the input. */
export class RefusedWrite extends DomainError {
  /** What the storage refused it for. */
  readonly reason: SqlFailureKind

  constructor(reason: SqlFailureKind, message: string) {
    const { code, data } = invalidAt([], message)
    super(code, message, data)
    this.reason = reason
  }
}

/**
 * Runs a write after its checks; what the storage still refuses, because of a write of somebody else in between,
 * becomes a RefusedWrite with the message for its kind.
 */
export async function refuseAsInvalid<T>(
  messages: Partial<Record<SqlFailureKind, string>>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error
    const message = messages[error.kind]
    throw message === undefined ? error : new RefusedWrite(error.kind, message)
  }
}

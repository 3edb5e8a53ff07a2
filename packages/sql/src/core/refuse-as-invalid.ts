import { invalidAt } from '@gateleg/domain/errors'
import { SqlFailure, type SqlFailureKind } from './connection.ts'

/**
 * Runs a write after its checks; what the storage still refuses, because of a write of somebody else in between,
 * becomes a `validation_error` with the message for its kind.
 */
export async function refuseAsInvalid<T>(
  messages: Partial<Record<SqlFailureKind, string>>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const message = error instanceof SqlFailure ? messages[error.kind] : undefined
    throw message === undefined ? error : invalidAt([], message)
  }
}

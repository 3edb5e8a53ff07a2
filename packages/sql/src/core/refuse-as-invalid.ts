import { invalidAt } from '@gateleg/domain/errors'
import { SqlFailure, type SqlFailureKind } from './connection.ts'

/**
 * Runs a write whose checks came before; what the storage refuses all the same, because of another's
 * write in between, is a `validation_error` with the message for its kind.
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

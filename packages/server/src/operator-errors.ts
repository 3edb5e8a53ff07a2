import { SqlFailure } from '@gateleg/sql/connection'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import { ConfigurationError } from './configuration.ts'

/** Runs the work; what the operator can do something about becomes a ConfigurationError. */
export async function explainingFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toOperatorError(error)
  }
}

function toOperatorError(error: unknown): unknown {
  if (error instanceof StorageRefusedError) return new ConfigurationError([`${error.message}.`])
  if (!(error instanceof SqlFailure) || error.kind !== 'unavailable') return error
  return new ConfigurationError([`${error.message}: look at DATABASE_URL.`])
}

import { DomainError } from '@gateleg/domain/errors'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { pino } from 'pino'

/**
 * Makes the form in which an error is logged. An error of the storage, which is wrapped from layer to layer, has each
 * of its sentences once, and only the stack of its first cause; other errors are logged as pino writes them.
 */
export function toLoggedError(error: unknown): unknown {
  if (!(error instanceof DomainError || error instanceof SqlFailure)) {
    return pino.stdSerializers.err(error as Error)
  }
  const sentences: string[] = []
  let first: Error = error
  const seen = new Set<unknown>()
  for (let at: unknown = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    first = at
    const { message } = at
    if (!sentences.some((sentence) => sentence.includes(message))) sentences.push(message)
  }
  return { type: error.name, message: sentences.join(': '), stack: first.stack }
}

import { invalidAt } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/**
 * A place in a table's records, as callers carry it from page to page: opaque, bound to its table, and
 * signed, so that one we did not make is told from one we did.
 */
export function toCursor(secrets: Secrets, tableId: string, after: number): string {
  return signPosition(secrets, `records:${tableId}`, String(after))
}

/** The place of a cursor of the table; validation_error for any other text. */
export function fromCursor(secrets: Secrets, tableId: string, cursor: string): number {
  const after = Number(signedPosition(secrets, `records:${tableId}`, cursor))
  if (!Number.isSafeInteger(after)) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer about the same table')
  }
  return after
}

/** The position, a text without dots at its end, with a signature that binds it to what it is a position in. */
export function signPosition(secrets: Secrets, of: string, position: string): string {
  return `${position}.${secrets.sign(`${of}:${position}`).slice(0, signatureLength)}`
}

/** The position that was signed so; undefined for any other text. */
export function signedPosition(secrets: Secrets, of: string, cursor: string): string | undefined {
  const end = cursor.lastIndexOf('.')
  if (end < 0) return undefined
  const position = cursor.slice(0, end)
  return secrets.equal(cursor, signPosition(secrets, of, position)) ? position : undefined
}

const signatureLength = 32

import { invalidAt } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'

/**
 * The cursor for a place in a table's records: an opaque text that is bound to its table, and signed, so that texts
 * that this product did not make are recognised.
 */
export function toCursor(secrets: Secrets, tableId: string, after: number): string {
  return signPosition(secrets, `records:${tableId}`, String(after))
}

/** The place that a cursor of the table names; validation_error for any other text. */
export function fromCursor(secrets: Secrets, tableId: string, cursor: string): number {
  const after = Number(signedPosition(secrets, `records:${tableId}`, cursor))
  if (!Number.isSafeInteger(after)) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer about the same table')
  }
  return after
}

/** The position (a text that doesn't end with a dot) with a signature that binds it to the list that it belongs to. */
export function signPosition(secrets: Secrets, of: string, position: string): string {
  return `${position}.${secrets.sign(`${of}:${position}`).slice(0, signatureLength)}`
}

/** The position in a text that `signPosition` made; undefined for any other text. */
export function signedPosition(secrets: Secrets, of: string, cursor: string): string | undefined {
  const end = cursor.lastIndexOf('.')
  if (end < 0) return undefined
  const position = cursor.slice(0, end)
  return secrets.equal(cursor, signPosition(secrets, of, position)) ? position : undefined
}

const signatureLength = 32

import { invalidAt } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/**
 * A place in a table's records, as callers carry it from page to page: opaque, bound to its table, and
 * signed, so that one we did not make is told from one we did.
 */
export function toCursor(secrets: Secrets, tableId: string, after: number): string {
  const place = String(after)
  return `${place}.${secrets.sign(`records:${tableId}:${place}`).slice(0, signatureLength)}`
}

/** The place of a cursor of the table; validation_error for any other text. */
export function fromCursor(secrets: Secrets, tableId: string, cursor: string): number {
  const [place = ''] = cursor.split('.', 1)
  const after = Number(place)
  if (!Number.isSafeInteger(after) || !secrets.equal(cursor, toCursor(secrets, tableId, after))) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer about the same table')
  }
  return after
}

const signatureLength = 32

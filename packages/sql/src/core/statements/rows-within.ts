import { type RowBatch, rowSize } from '../connection.ts'

/**
 * The rows up to the one with which all would be larger than the length, or more than the most; the first is always
 * there. What follows is not asked for: a statement whose rows are stepped through ends there.
 */
export function rowsWithin(
  found: Iterable<readonly unknown[]>,
  length: number,
  most = Number.POSITIVE_INFINITY,
): RowBatch {
  const rows: (readonly unknown[])[] = []
  let size = 0
  for (const row of found) {
    const next = size + rowSize(row)
    if ((next > length || rows.length === most) && rows.length > 0)
      return { rows, size, isCut: true }
    rows.push(row)
    size = next
  }
  return { rows, size, isCut: false }
}

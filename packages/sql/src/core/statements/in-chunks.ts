import type { SqlDialect } from '../dialect/sql-dialect.ts'

/**
 * Works on the items in their order, on as many at a time as one statement can take as rows with the given number of
 * columns.
 */
export async function inChunks<T>(
  dialect: SqlDialect,
  items: readonly T[],
  columns: number,
  work: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; ) {
    const count = dialect.rows.perStatement(columns, items.length - start)
    await work(items.slice(start, start + count))
    start += count
  }
}

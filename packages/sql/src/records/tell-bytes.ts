import type { SqlSession } from '../core/session.ts'

/**
 * Tells the connection how many bytes a statement will rewrite, where it wants to know: the query for them
 * is made only there.
 */
export async function tellBytes(
  { connection }: SqlSession,
  query: () => string,
  values: readonly unknown[],
): Promise<void> {
  if (!connection.willRewrite) return
  const [row] = await connection.rows(query(), values)
  connection.willRewrite(Number(row?.[0]))
}

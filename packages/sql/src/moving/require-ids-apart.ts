import { sql } from 'kysely'
import type { SqlSession } from '../core/session.ts'
import { StorageRefusedError } from '../migrations/storage-errors.ts'

/** What names of tables and indexes have the ids of. */
const named = ['bases', 'tables', 'fields'] as const

/** How many pairs of ids a refusal names at most: an operator mends one at a time. */
const pairsNamedMost = 5

/**
 * Throws StorageRefusedError where ids differ in the case of letters alone: SQLite takes names of tables and indexes that have
 * them for the same, whenever it has to make one.
 */
export async function requireIdsApart(source: SqlSession): Promise<void> {
  const pairs: string[] = []
  for (const name of named) {
    const lowered = sql<string>`lower(id)`
    const found = await source.allOnce(
      source.db
        .selectFrom(name)
        .select(({ fn }) => [fn.min<string>('id').as('first'), fn.max<string>('id').as('last')])
        .groupBy(lowered)
        .having(({ fn }) => fn.countAll(), '>', 1)
        .orderBy(lowered)
        .limit(pairsNamedMost),
    )
    pairs.push(
      ...found.map(({ first, last }) => `${name} "${[first, last].toSorted().join('" and "')}"`),
    )
  }
  if (pairs.length === 0) return
  const message = `The ids of the ${pairs.slice(0, pairsNamedMost).join(', of the ')} differ in the case of letters alone, which SQLite can't tell apart: nothing was moved. Make a copy of one of them in the product, which gets another id, delete it for good, and move again`
  throw new StorageRefusedError(message)
}

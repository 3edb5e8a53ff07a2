import type { WriteTx } from '../../store.ts'

/**
 * Holds all tables of a base that goes away, or elsewhere: whoever writes in one of them, or links to it, is
 * done by then, or waits and is told afterwards what has become of it.
 */
export async function holdTables({ tables }: WriteTx, baseId: string): Promise<void> {
  const ids = (await tables.listOf(baseId)).map(({ id }) => id)
  await tables.findAll(ids.toSorted(), 'update')
}

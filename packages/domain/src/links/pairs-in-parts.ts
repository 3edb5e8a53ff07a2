import type { LinkEnd } from '../fields/link-end.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import type { PlacedPair, WhichPairs } from './link-repository.ts'

/**
 * The pairs of records at an end, in the order of the records, so many at a time as memory should hold: those of one record
 * come together, and `limits.linksStoredAtOnce` of several, or few more.
 */
export async function* pairsInParts(
  tx: Pick<ReadTx, 'links' | 'giveWay'>,
  end: LinkEnd,
  recordIds: readonly string[],
  which: WhichPairs = 'living',
): AsyncGenerator<readonly PlacedPair[]> {
  const counts = await tx.links.count(end, recordIds, which)
  let part: string[] = []
  let length = 0
  for (const id of recordIds) {
    const count = counts.get(id) ?? 0
    if (count === 0) continue
    part.push(id)
    length += count
    if (length < limits.linksStoredAtOnce) continue
    yield await tx.links.placed(end, part, which)
    await tx.giveWay()
    part = []
    length = 0
  }
  if (part.length > 0) yield await tx.links.placed(end, part, which)
}

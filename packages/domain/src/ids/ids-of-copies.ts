import { compareCodePoints } from '../values/text.ts'

/**
 * Which of the new ids each original's copy gets. Copies are made at one moment, and lists break that tie by ids: so the ids
 * are handed out by code point, in the order of the originals.
 */
export function idsOfCopies(
  originals: readonly string[],
  newIds: readonly string[],
): ReadonlyMap<string, string> {
  const sorted = newIds.toSorted(compareCodePoints)
  return new Map(originals.map((id, index) => [id, sorted[index] ?? '']))
}

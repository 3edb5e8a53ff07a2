import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'

/** Where one more base stands in the space, last of all; throws `validation_error` where there is no room for it. */
export async function placeForBase(
  { bases }: Pick<ReadTx, 'bases'>,
  spaceId: string,
): Promise<number> {
  const places = await bases.listPlaces(spaceId)
  if (places.length >= limits.basesPerSpace) {
    throw invalidAt([], `a space has ${limits.basesPerSpace} bases at most`)
  }
  return Math.max(0, ...places.map(({ order }) => order)) + 1
}

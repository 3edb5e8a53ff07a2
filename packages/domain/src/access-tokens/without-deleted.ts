import type { ReadTx } from '../store.ts'
import type { AccessToken } from './access-token.ts'

/** The tokens, their reach without the places that are deleted; a place that is restored is there again. */
export async function withoutDeleted(
  tx: ReadTx,
  tokens: readonly AccessToken[],
): Promise<readonly AccessToken[]> {
  const living = await tx.access.livingPlaces({
    spaceIds: tokens.flatMap(({ spaceIds }) => spaceIds ?? []),
    baseIds: tokens.flatMap(({ baseIds }) => baseIds ?? []),
  })
  const knownIds = new Set([...living.spaceIds, ...living.baseIds])
  const left = (ids: readonly string[] | undefined) => ids?.filter((id) => knownIds.has(id))
  return tokens.map((token) => ({
    ...token,
    spaceIds: left(token.spaceIds),
    baseIds: left(token.baseIds),
  }))
}

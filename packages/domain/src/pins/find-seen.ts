import { notFound } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { NamedResource, SeenResource } from './seen-resource.ts'

/** The resource, for a user who may read it; `not_found` for all others. */
export async function getSeen(
  tx: ReadTx,
  userId: string,
  named: NamedResource,
): Promise<SeenResource> {
  const [found] = await tx.seenResources.find(userId, [named])
  if (!found) throw notFound(named.type, named.id)
  return found
}

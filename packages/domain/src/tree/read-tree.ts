import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import { Tree } from './tree.ts'
import type { ResourceType } from './tree-node.ts'

/** The tree of a base, which keeps clear of the places of what lies in the trash, and in which the caller can name what they may read. */
export async function readTree(
  { nodes }: Pick<ReadTx, 'nodes'>,
  baseId: string,
  canRead?: (type: ResourceType) => boolean,
): Promise<Tree> {
  const [places, ordersInTrash] = await Promise.all([
    nodes.listPlaces(baseId),
    nodes.ordersInTrash(baseId, limits.ordersInTrash),
  ])
  return new Tree(places, { ordersInTrash, ...(canRead && { canRead }) })
}

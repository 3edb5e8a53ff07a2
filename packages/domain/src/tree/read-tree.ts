import type { ReadTx } from '../store.ts'
import { Tree } from './tree.ts'
import type { ResourceType } from './tree-node.ts'

/** The tree of a base, in which the caller can name what they may read. */
export async function readTree(
  { nodes }: Pick<ReadTx, 'nodes'>,
  baseId: string,
  canRead?: (type: ResourceType) => boolean,
): Promise<Tree> {
  const [places, lastOrder] = await Promise.all([nodes.listPlaces(baseId), nodes.lastOrder(baseId)])
  return new Tree(places, { lastOrder, ...(canRead && { canRead }) })
}

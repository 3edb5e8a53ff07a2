import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { NodeContext } from './add-node.ts'
import { readTree } from './read-tree.ts'

/**
 * Gives a resource that came back in this transaction its node again, where it was as far as that can be (`Tree.placeBack`). The
 * base is held for update. Throws validation_error where the base has no room for it.
 */
export async function restoreNodeOf(
  { tx, now, userId }: NodeContext,
  baseId: string,
  resourceId: string,
): Promise<void> {
  const tree = await readTree(tx, baseId)
  if (tree.size >= limits.nodesPerBase) {
    throw invalidAt([], `can't come back: a base has ${limits.nodesPerBase} nodes at most`)
  }
  await tx.nodes.restoreOf(resourceId)
  const node = await tx.nodes.findOf(resourceId)
  if (!node) throw invalidAt([], "can't come back: its place in the tree is gone")
  await tx.nodes.place(tree.placeBack(node))
  const { id, resourceType } = node
  const payload = { baseId, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.created', time: now, userId, payload })
}

import type { Ports } from '../ports.ts'
import type { NodeContext } from './add-node.ts'
import type { Destination, Tree } from './tree.ts'
import type { TreeNode } from './tree-node.ts'

/** Moves a node within the tree of its base, which must be held for update. */
export async function moveNodeIn(
  { tx, now, userId, settings }: NodeContext & Pick<Ports, 'settings'>,
  tree: Tree,
  { id: nodeId, baseId, resourceType, resourceId }: TreeNode,
  destination: Destination,
): Promise<void> {
  const placements = tree.move(nodeId, destination, settings)
  if (placements.length === 0) return
  await tx.nodes.place(placements)
  const payload = { baseId, nodeId, resourceType, resourceId }
  tx.emit({ name: 'node.moved', time: now, userId, payload })
}

import type { NodeContext } from './add-node.ts'
import type { TreeNode } from './tree-node.ts'

/** Counts a change of the name or icon of a resource, made in this transaction, as one of its node. */
export async function touchNodeOf(context: NodeContext, resourceId: string): Promise<void> {
  const node = await context.tx.nodes.findOf(resourceId)
  if (node) await bumpNode(context, node)
}

/** Counts a change of the node's resource. */
export async function bumpNode(
  { tx, now, userId }: NodeContext,
  { id, baseId, resourceType, resourceId }: TreeNode,
): Promise<void> {
  await tx.nodes.bump(id)
  const payload = { baseId, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.updated', time: now, userId, payload })
}

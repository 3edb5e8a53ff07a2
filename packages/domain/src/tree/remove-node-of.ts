import type { Deletion } from '../trash/deletion.ts'
import type { NodeContext } from './add-node.ts'
import type { TreeNode } from './tree-node.ts'

/**
 * Takes the node of a resource along that was deleted in this transaction: with a deletion the node is
 * marked by it, without one it is removed for good, without a word where it lay in the trash already.
 */
export async function removeNodeOf(
  context: NodeContext,
  resourceId: string,
  deletion?: Deletion,
): Promise<void> {
  const node = await context.tx.nodes.findOf(resourceId)
  if (node) await removeNode(context, node, deletion)
  else if (!deletion) await context.tx.nodes.deleteOf(resourceId)
}

/** Marks a node as deleted, or removes it for good. */
export async function removeNode(
  { tx, now, userId }: NodeContext,
  { id, baseId, resourceType, resourceId }: TreeNode,
  deletion: Deletion | undefined,
): Promise<void> {
  if (deletion) await tx.nodes.markDeleted(id, deletion)
  else await tx.nodes.delete(id)
  const payload = { baseId, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.deleted', time: now, userId, payload })
}

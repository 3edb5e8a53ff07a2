import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { NodeContext } from './add-node.ts'

/**
 * Gives a resource that came back in this transaction its node again, where it was; at the root where its folder is gone. The
 * base is held for update. Throws validation_error where the base has no room for it.
 */
export async function restoreNodeOf(
  { tx, now, userId }: NodeContext,
  baseId: string,
  resourceId: string,
): Promise<void> {
  const nodes = await tx.nodes.listPlaces(baseId)
  if (nodes.length >= limits.nodesPerBase) {
    throw invalidAt([], `can't come back: a base has ${limits.nodesPerBase} nodes at most`)
  }
  await tx.nodes.restoreOf(resourceId)
  const node = await tx.nodes.findOf(resourceId)
  if (!node) throw invalidAt([], "can't come back: its place in the tree is gone")
  const { id, parentId, order, resourceType } = node
  if (parentId !== null && !nodes.some((one) => one.id === parentId)) {
    await tx.nodes.place([{ id, parentId: null, order }])
  }
  const payload = { baseId, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.created', time: now, userId, payload })
}

import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { NodeContext } from './add-node.ts'
import { type Destination, type Placement, Tree } from './tree.ts'

/**
 * Gives a resource that came back in this transaction its node again, where it was: beside a node that got the same order
 * since, in the order of their ids, and at the root where its folder is gone. The base is held for update. Throws validation_error where the base has no room for it.
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
  const folderId = nodes.some((one) => one.id === parentId) ? parentId : null
  const other = nodes.find((one) => one.parentId === folderId && one.order === order)
  // As nodes with one order stand in lists, so that it doesn't matter which of them comes back first.
  const destination: Destination = other
    ? { anchorId: other.id, position: id < other.id ? 'before' : 'after' }
    : { parentId: folderId, order }
  const tree = new Tree(nodes, { lastOrder: await tx.nodes.lastOrder(baseId) })
  const placements = tree.place(id, destination)
  const isWhereItWas = (one: Placement) =>
    one.id === id && one.parentId === parentId && one.order === order
  await tx.nodes.place(placements.filter((one) => !isWhereItWas(one)))
  const payload = { baseId, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.created', time: now, userId, payload })
}

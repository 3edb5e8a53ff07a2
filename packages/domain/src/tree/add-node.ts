import type { Base } from '../bases/base.ts'
import { assert } from '../errors.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import { readTree } from './read-tree.ts'
import type { Destination, Tree } from './tree.ts'
import type { ResourceType, TreeNode } from './tree-node.ts'

/** What a change of the tree needs to know. */
export type NodeContext = Pick<CallContext, 'actor' | 'now' | 'ids'> & {
  readonly tx: WriteTx
  readonly userId: string
}

/** A resource that was just made, and the folder it goes into. */
interface NewNode {
  readonly base: Base
  /** The node of a folder; null for the root. */
  readonly parentId: string | null
  /** Where it stands in the folder; last where it is left out. */
  readonly order?: number | undefined
  readonly resourceType: ResourceType
  readonly resourceId: string
}

/**
 * Gives a resource that was made in this transaction its node, last in its folder or where its order says. The
 * base must be held for update.
 */
export async function addNode(
  context: NodeContext,
  { parentId, order, ...made }: NewNode,
): Promise<TreeNode> {
  const tree = await readTree(context.tx, made.base.id)
  return addNodeAt(context, tree, { parentId, order }, made)
}

/** Gives a resource its node at any place of the tree. */
export async function addNodeAt(
  { tx, now, ids, userId }: NodeContext,
  tree: Tree,
  destination: Destination,
  { base, resourceType, resourceId }: Omit<NewNode, 'parentId' | 'order'>,
): Promise<TreeNode> {
  const id = ids.next('node')
  const placements = tree.place(id, destination)
  const placement = placements.find((placement) => placement.id === id)
  assert(placement, 'a new node is placed')
  const { parentId, order } = placement
  const node = { id, baseId: base.id, parentId, resourceType, resourceId, order, version: 1 }
  await tx.nodes.insert(node)
  await tx.nodes.place(placements.filter((placement) => placement.id !== id))
  const payload = { baseId: base.id, nodeId: id, resourceType, resourceId }
  tx.emit({ name: 'node.created', time: now, userId, payload })
  return node
}

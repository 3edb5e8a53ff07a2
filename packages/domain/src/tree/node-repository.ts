import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'
import type { Placement } from './tree.ts'
import type { DescribedNode, TreeNode } from './tree-node.ts'

/** Deleted nodes are answered where it is said. */
export interface NodeReader {
  /** All nodes of the base as places alone, in no order. */
  listPlaces(baseId: string): Promise<readonly TreeNode[]>
  /** The orders of nodes of the base that are deleted, the greatest first: `most` at most. */
  ordersInTrash(baseId: string, most: number): Promise<readonly number[]>
  /** All nodes of the base with what their resources show, by order, ties by id. */
  list(baseId: string): Promise<readonly DescribedNode[]>
  /** The nodes of what lies in the trash of the base, by id: a page. */
  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<TreeNode>[]>
  find(baseId: string, nodeId: string): Promise<DescribedNode | undefined>
  /** The node that the resource holds. */
  findOf(resourceId: string): Promise<DescribedNode | undefined>
  /** The nodes directly in a folder, by order, ties by id. */
  listChildren(nodeId: string): Promise<readonly TreeNode[]>
}

/** Keeps the nodes of trees. */
export interface NodeRepository extends NodeReader {
  insert(node: TreeNode): Promise<void>
  /** Puts the nodes, if any, where the placements say; the version of each grows by one. */
  place(placements: readonly Placement[]): Promise<void>
  /** Counts a change of the node's resource. */
  bump(nodeId: string): Promise<void>
  markDeleted(nodeId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion from the node of a resource. */
  restoreOf(resourceId: string): Promise<void>
  /** Removes the node for good. */
  delete(nodeId: string): Promise<void>
  /** Removes the node of a resource for good, a deleted one too, if there is one. */
  deleteOf(resourceId: string): Promise<void>
}

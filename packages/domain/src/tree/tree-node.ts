/** What a node can stand for. */
export const resourceTypes = ['folder', 'table', 'dashboard', 'workflow'] as const

/** What a node stands for. */
export type ResourceType = (typeof resourceTypes)[number]

/** A place in the tree of a base, held by one resource. */
export interface TreeNode {
  readonly id: string
  readonly baseId: string
  /** The node of a folder; null at the root. */
  readonly parentId: string | null
  readonly resourceType: ResourceType
  readonly resourceId: string
  /** Position among the siblings; ties are broken by id. */
  readonly order: number
  /** Counts the changes of the node's place and of its resource's name and icon, and whether that is active. */
  readonly version: number
}

/** A node with what its resource shows in the tree. */
export interface DescribedNode extends TreeNode {
  readonly name: string
  readonly icon: string | null
  /** The view a table opens with; null for all else. */
  readonly defaultViewId: string | null
  /** Whether a workflow is active; null for all else. */
  readonly isActive: boolean | null
}

/** Whether other nodes can lie under the node. */
export function isFolder({ resourceType }: Pick<TreeNode, 'resourceType'>): boolean {
  return resourceType === 'folder'
}

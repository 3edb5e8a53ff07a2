import { assert, invalidAt, notFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { compareOrder, ordersAt } from '../values/ordering.ts'
import { isFolder, type ResourceType, type TreeNode } from './tree-node.ts'

/** The folder and the order that a node gets; a smaller order comes first. */
export interface Placement {
  readonly id: string
  readonly parentId: string | null
  readonly order: number
}

/**
 * Where a caller wants a node: in a folder (null: at the root), last or, where an order is given, before the
 * first node there whose order isn't smaller; or beside another node.
 */
export type Destination =
  | { readonly parentId: string | null; readonly order?: number | undefined }
  | { readonly anchorId: string; readonly position: 'before' | 'after' }

/**
 * The rules of a base's tree, over all its nodes that aren't in the trash. A destination names nodes by their own ids
 * or by the ids of their resources. Methods change nothing: they return the placements that are to be stored. Nodes
 * that the caller may not read keep their places and count towards limits, but naming one is answered `not_found`.
 */
export class Tree {
  readonly #nodesById: ReadonlyMap<string, TreeNode>
  readonly #nodesByResource: ReadonlyMap<string, TreeNode>
  readonly #childrenByParent: ReadonlyMap<string | null, readonly TreeNode[]>
  readonly #canRead: (type: ResourceType) => boolean
  readonly #ordersInTrash: readonly number[]
  readonly #lastOrder: number

  /**
   * Takes the nodes of the base, and the orders of its nodes in the trash. No other node is given one of these orders,
   * so that a node which is restored stands where it stood.
   */
  constructor(
    nodes: readonly TreeNode[],
    {
      canRead = () => true,
      ordersInTrash = [],
    }: {
      readonly canRead?: (type: ResourceType) => boolean
      readonly ordersInTrash?: readonly number[]
    } = {},
  ) {
    this.#nodesById = new Map(nodes.map((node) => [node.id, node]))
    this.#nodesByResource = new Map(nodes.map((node) => [node.resourceId, node]))
    this.#childrenByParent = Map.groupBy(nodes.toSorted(compareOrder), ({ parentId }) => parentId)
    this.#canRead = canRead
    this.#ordersInTrash = ordersInTrash.toSorted((a, b) => a - b)
    const last = Math.max(0, this.#ordersInTrash.at(-1) ?? 0)
    this.#lastOrder = nodes.reduce((last, { order }) => Math.max(last, order), last)
  }

  /** The number of nodes, without those in the trash. */
  get size(): number {
    return this.#nodesById.size
  }

  /** The nodes directly in a folder (null: at the root), in their order. */
  childrenOf(parentId: string | null): readonly TreeNode[] {
    return this.#childrenByParent.get(parentId) ?? []
  }

  /** Throws a `validation_error` when the folder can't take a new node of the type: too many nodes, or folders too deep. */
  requireRoom(
    parentId: string | null,
    made: Pick<TreeNode, 'resourceType'>,
    { maxFolderDepth }: { readonly maxFolderDepth: number },
  ): void {
    this.#requireFewer()
    this.#requireDepth(
      this.#parentAt(this.#resolve({ parentId })),
      isFolder(made) ? 1 : 0,
      maxFolderDepth,
    )
  }

  /** Returns the placements by which a new node stands at the destination: its own, and those of nodes that give way. */
  place(id: string, destination: Destination): readonly Placement[] {
    this.#requireFewer()
    return this.#placementsAt(id, this.#resolve(destination))
  }

  /**
   * Places a node that is restored from the trash; empty when its stored placement still holds. It goes to the root when
   * its folder no longer exists. Its order is free, except at the root after such a move, and in bases older than the
   * rule that the orders of nodes in the trash count as taken: beside a node of the same order it is placed by id, as
   * lists sort nodes of one order.
   */
  placeBack({ id, parentId, order }: Placement): readonly Placement[] {
    const folderId = parentId !== null && this.#nodesById.has(parentId) ? parentId : null
    const other = this.childrenOf(folderId).find((node) => node.order === order)
    if (!other) return folderId === parentId ? [] : [{ id, parentId: folderId, order }]
    const position = id < other.id ? 'before' : 'after'
    return this.#placementsAt(id, { anchorId: other.id, position })
  }

  /** Moves a node; empty when it already stands at the destination. */
  move(
    id: string,
    named: Destination,
    { maxFolderDepth }: { readonly maxFolderDepth: number },
  ): readonly Placement[] {
    const node = this.#named(id)
    const destination = this.#resolve(named)
    const member = 'anchorId' in destination ? 'anchorId' : 'parentId'
    if (('anchorId' in destination ? destination.anchorId : destination.parentId) === id) {
      throw invalidAt([member], 'must be another node than the one that is moved')
    }
    const parentId = this.#parentAt(destination)
    if (this.#isAtOrBelow(parentId, id)) {
      throw invalidAt([member], 'must not lie in the folder that is moved: that would be circular')
    }
    if (parentId !== node.parentId) {
      this.#requireDepth(parentId, this.#folderLevels(node), maxFolderDepth, member)
    }
    const index = this.#indexAt(destination, this.#siblingsOf(id, parentId))
    const isThere = this.childrenOf(parentId)[index]?.id === id
    return isThere ? [] : this.#placementsAt(id, destination)
  }

  /** Moves the nodes in a folder to the place of the folder, which is about to be deleted. */
  dissolve(folderId: string): readonly Placement[] {
    const { parentId } = this.#named(folderId)
    const index = this.childrenOf(parentId).findIndex(({ id }) => id === folderId)
    const ids = this.childrenOf(folderId).map(({ id }) => id)
    const orders = ordersAt(this.#siblingsOf(folderId, parentId), index, ids, this.#ordersInTrash)
    return [...orders].map(([id, order]) => ({ id, parentId, order }))
  }

  /** The destination, with the nodes' own ids in place of those of their resources. */
  #resolve(named: Destination): Destination {
    if ('anchorId' in named) return { ...named, anchorId: this.#named(named.anchorId).id }
    return { ...named, parentId: named.parentId === null ? null : this.#named(named.parentId).id }
  }

  #requireFewer(): void {
    if (this.size >= limits.nodesPerBase) {
      throw invalidAt([], `a base has ${limits.nodesPerBase} nodes at most`)
    }
  }

  /** Refuses when `folderLevels` levels of folders below the parent would lie deeper than the limit. */
  #requireDepth(
    parentId: string | null,
    folderLevels: number,
    maxFolderDepth: number,
    member = 'parentId',
  ): void {
    if (folderLevels > 0 && this.#depthOf(parentId) + folderLevels > maxFolderDepth) {
      throw invalidAt([member], `folders lie at most ${maxFolderDepth} levels deep`)
    }
  }

  #placementsAt(id: string, destination: Destination): readonly Placement[] {
    const parentId = this.#parentAt(destination)
    const siblings = this.#siblingsOf(id, parentId)
    if ('parentId' in destination) {
      // The last order is greater than those in the trash, so restored nodes stand before the new one.
      const { order = this.#lastOrder + 1 } = destination
      const isTaken =
        siblings.some((node) => node.order === order) || this.#ordersInTrash.includes(order)
      if (!isTaken) return [{ id, parentId, order }]
    }
    const index = this.#indexAt(destination, siblings)
    // Greater than the orders in the trash, too: no restored node needs it.
    if (index === siblings.length) return [{ id, parentId, order: this.#lastOrder + 1 }]
    const orders = ordersAt(siblings, index, [id], this.#ordersInTrash)
    return [...orders].map(([id, order]) => ({ id, parentId, order }))
  }

  #parentAt(destination: Destination): string | null {
    if ('anchorId' in destination) return this.#get(destination.anchorId).parentId
    const { parentId } = destination
    if (parentId !== null && !isFolder(this.#get(parentId))) {
      throw invalidAt(['parentId'], 'must be the node of a folder')
    }
    return parentId
  }

  #indexAt(destination: Destination, siblings: readonly TreeNode[]): number {
    if ('parentId' in destination) {
      const { order = Number.POSITIVE_INFINITY } = destination
      return siblings.filter((node) => node.order < order).length
    }
    const index = siblings.findIndex(({ id }) => id === destination.anchorId)
    return destination.position === 'after' ? index + 1 : index
  }

  #siblingsOf(id: string, parentId: string | null): readonly TreeNode[] {
    return this.childrenOf(parentId).filter((node) => node.id !== id)
  }

  #isAtOrBelow(id: string | null, ancestorId: string): boolean {
    for (let at = id; at !== null; at = this.#get(at).parentId) if (at === ancestorId) return true
    return false
  }

  #depthOf(folderId: string | null): number {
    let depth = 0
    for (let at = folderId; at !== null; at = this.#get(at).parentId) depth++
    return depth
  }

  #folderLevels(node: TreeNode): number {
    if (!isFolder(node)) return 0
    const below = this.childrenOf(node.id).map((child) => this.#folderLevels(child))
    return 1 + Math.max(0, ...below)
  }

  #get(id: string): TreeNode {
    const node = this.#nodesById.get(id)
    assert(node, `the node ${id} of the tree is there`)
    return node
  }

  /** The node that the caller named, by its own id or its resource's; `not_found` when there is none or they may not read it. */
  #named(id: string): TreeNode {
    const node = this.#nodesById.get(id) ?? this.#nodesByResource.get(id)
    if (!node || !this.#canRead(node.resourceType)) throw notFound('node', id)
    return node
  }
}

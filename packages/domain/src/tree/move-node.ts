import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import type { Ports } from '../ports.ts'
import { defineWrite } from '../use-case.ts'
import type { NodeContext } from './add-node.ts'
import { onNode } from './node-guard.ts'
import { nodeView, readableTypes, viewNode } from './node-view.ts'
import { type Destination, Tree } from './tree.ts'
import type { TreeNode } from './tree-node.ts'

/** Moves a node: last into a folder (null: to the root), or beside another node. */
export const moveNode = defineWrite({
  summary: 'Move a node within its base',
  input: z.object({
    baseId: idSchema,
    nodeId: idSchema,
    parentId: idSchema.nullable().optional(),
    anchorId: idSchema.optional(),
    position: z.enum(['before', 'after']).optional(),
  }),
  output: nodeView,
  access: onNode(({ read }) => [read, 'base|update'], 'update'),
  needs: ['settings'],
  run: async (context, input) => {
    const { tx, node } = context
    const canRead = readableTypes(context)
    const tree = new Tree(await tx.nodes.listPlaces(node.baseId), canRead)
    await moveNodeIn(context, tree, node, toDestination(input))
    return viewNode(tx, node, canRead)
  },
})

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

function toDestination({
  parentId,
  anchorId,
  position = 'after',
}: {
  parentId?: string | null | undefined
  anchorId?: string | undefined
  position?: 'before' | 'after' | undefined
}): Destination {
  if (anchorId === undefined) {
    if (parentId === undefined) throw invalidAt([], 'either parentId or anchorId must be given')
    return { parentId }
  }
  if (typeof parentId === 'string') {
    throw invalidAt(['anchorId'], 'must not be given together with parentId')
  }
  return { anchorId, position }
}

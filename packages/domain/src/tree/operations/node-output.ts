import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { mayTake } from '../../access/guard.ts'
import type { Role } from '../../access/roles.ts'
import { assert } from '../../errors.ts'
import type { ReadTx } from '../../store.ts'
import { compareOrder } from '../../values/ordering.ts'
import {
  type DescribedNode,
  type ResourceType,
  resourceTypes,
  type TreeNode,
} from '../tree-node.ts'
import { nodeResourceOf } from './node-resources.ts'

/** A node as callers see it. */
export const nodeOutput = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    resourceId: z.string(),
    order: z.number(),
    resourceType: z.enum(resourceTypes),
    resourceMeta: z.object({
      name: z.string(),
      icon: z.string().optional(),
      defaultViewId: z.string().optional(),
    }),
    defaultUrl: z.string(),
    parent: z.object({ id: z.string() }).nullable(),
    children: z.array(z.object({ id: z.string(), order: z.number() })),
  })
  .meta({ id: 'Node' })
export type NodeOutput = z.output<typeof nodeOutput>

/** Which types of nodes the caller may read. */
export function readableTypes(caller: {
  readonly actor: Actor
  readonly role: Role
}): (type: ResourceType) => boolean {
  return (type) => mayTake(caller.actor, caller.role, nodeResourceOf(type).actions.read)
}

/** Those of a base's nodes that the caller may read, in the order given. */
export function toNodeViews(
  nodes: readonly DescribedNode[],
  canRead: (type: ResourceType) => boolean,
): NodeOutput[] {
  const readable = nodes.filter(({ resourceType }) => canRead(resourceType))
  const childrenByParent = Map.groupBy(readable, ({ parentId }) => parentId)
  return readable.map((node) => toNodeOutput(node, childrenByParent.get(node.id) ?? []))
}

/** A living node as it is now in this transaction, with its version. */
export async function viewNode(
  tx: ReadTx,
  { baseId, id }: Pick<TreeNode, 'baseId' | 'id'>,
  canRead: (type: ResourceType) => boolean,
): Promise<NodeOutput & { readonly version: number }> {
  const node = await tx.nodes.find(baseId, id)
  assert(node, `the node ${id} is there`)
  const children = await tx.nodes.listChildren(id)
  const readable = children.filter(({ resourceType }) => canRead(resourceType))
  return { ...toNodeOutput(node, readable), version: node.version }
}

function toNodeOutput(node: DescribedNode, children: readonly TreeNode[]): NodeOutput {
  const { name, icon, defaultViewId } = node
  return {
    id: node.id,
    parentId: node.parentId,
    resourceId: node.resourceId,
    order: node.order,
    resourceType: node.resourceType,
    resourceMeta: {
      name,
      ...(icon === null ? {} : { icon }),
      ...(defaultViewId === null ? {} : { defaultViewId }),
    },
    defaultUrl: nodeResourceOf(node.resourceType).urlOf(node),
    parent: node.parentId === null ? null : { id: node.parentId },
    children: children.toSorted(compareOrder).map(({ id, order }) => ({ id, order })),
  }
}

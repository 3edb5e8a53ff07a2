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
    id: z.string().describe('The id of the node'),
    parentId: z
      .string()
      .nullable()
      .describe('The node of the folder that it is in; null at the top'),
    resourceId: z.string().describe('The id of what the node stands for'),
    order: z.number().describe('Its place among the nodes with the same parent'),
    resourceType: z.enum(resourceTypes).describe('What it stands for'),
    resourceMeta: z
      .object({
        name: z.string(),
        icon: z.string().optional(),
        defaultViewId: z.string().optional(),
        isActive: z.boolean().optional(),
      })
      .describe(
        'Name and icon of what it stands for, the first view of a table, and whether a workflow is active',
      ),
    defaultUrl: z.string().describe('The path at which a front end may show it'),
    parent: z
      .object({ id: z.string() })
      .nullable()
      .describe('The node of the folder that it is in, once more'),
    children: z
      .array(z.object({ id: z.string(), order: z.number() }))
      .describe('The nodes directly in it that the caller may read, in order'),
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
  const { name, icon, defaultViewId, isActive } = node
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
      ...(isActive === null ? {} : { isActive }),
    },
    defaultUrl: nodeResourceOf(node.resourceType).urlOf(node),
    parent: node.parentId === null ? null : { id: node.parentId },
    children: children.toSorted(compareOrder).map(({ id, order }) => ({ id, order })),
  }
}

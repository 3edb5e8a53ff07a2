import type { Actor } from '../../access/actor.ts'
import type { Role } from '../../access/roles.ts'
import type { Ports } from '../../ports.ts'
import { defineWrite } from '../../use-case.ts'
import { addNodeAt } from '../add-node.ts'
import { readTree } from '../read-tree.ts'
import type { TreeNode } from '../tree-node.ts'
import { onNewNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'
import type { ResourceContext } from './node-resource.ts'
import { type NewNodeInput, newNodeSchema, nodeResourceOf } from './node-resources.ts'

/** Creates a folder, table, dashboard or workflow, with its node last in a folder or at the root. */
export const createNode = defineWrite({
  summary: 'Create a node of a base',
  input: newNodeSchema,
  output: nodeOutput,
  access: onNewNode(),
  needs: ['settings'],
  run: async (context, input) =>
    viewNode(context.tx, await makeNode(context, input), readableTypes(context)),
})

type MakingContext = ResourceContext &
  Pick<Ports, 'settings'> & { readonly actor: Actor; readonly role: Role }

/** Makes a resource and its node. The base must be held for update. */
export async function makeNode(context: MakingContext, input: NewNodeInput): Promise<TreeNode> {
  const { tx, base, settings } = context
  const { resourceType, parentId = null } = input
  const tree = await readTree(tx, base.id, readableTypes(context))
  tree.requireRoom(parentId, input, settings)
  const resourceId = await nodeResourceOf(resourceType).create(context, input)
  const order = 'order' in input ? input.order : undefined
  return addNodeAt(context, tree, { parentId, order }, { base, resourceType, resourceId })
}

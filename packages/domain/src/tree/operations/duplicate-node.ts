import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { addNodeAt } from '../add-node.ts'
import { readTree } from '../read-tree.ts'
import type { TreeNode } from '../tree-node.ts'
import { onNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'
import type { CopyOptions, ResourceContext } from './node-resource.ts'
import { nodeResourceOf } from './node-resources.ts'

/** Copies a node's resource, and places the copy right after the original. */
export const duplicateNode = defineWrite({
  summary: 'Duplicate a node',
  input: z.object({
    baseId: idSchema,
    nodeId: idSchema,
    name: nameSchema.optional(),
    includeRecords: z.boolean().optional(),
  }),
  output: nodeOutput,
  access: onNode(({ read, create }) => [read, create], 'update'),
  run: async (context, { name, includeRecords }) => {
    const copy = await copyNode(context, context.node, { name, includeRecords })
    return viewNode(context.tx, copy, readableTypes(context))
  },
})

/**
 * Makes a copy of what a node stands for, and its node right after the original. The base is held for update. Throws
 * validation_error for a folder.
 */
export async function copyNode(
  context: ResourceContext,
  { id: anchorId, resourceType, resourceId: originalId }: TreeNode,
  options: CopyOptions,
): Promise<TreeNode> {
  const { tx, base } = context
  const resource = nodeResourceOf(resourceType)
  if (!resource.duplicate) throw invalidAt(['nodeId'], `a ${resourceType} can't be duplicated`)
  const tree = await readTree(tx, base.id)
  const resourceId = await resource.duplicate(context, originalId, options)
  const destination = { anchorId, position: 'after' } as const
  return addNodeAt(context, tree, destination, { base, resourceType, resourceId })
}

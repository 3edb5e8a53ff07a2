import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { nameSchema } from '../../values/names.ts'
import { addNodeAt } from '../add-node.ts'
import { Tree } from '../tree.ts'
import { onNode } from './node-guard.ts'
import { nodeOutput, readableTypes, viewNode } from './node-output.ts'
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
    const { tx, base, node } = context
    const { resourceType } = node
    const resource = nodeResourceOf(resourceType)
    if (!resource.duplicate) throw invalidAt(['nodeId'], `a ${resourceType} can't be duplicated`)
    const tree = new Tree(await tx.nodes.listPlaces(base.id))
    const options = { name, includeRecords }
    const resourceId = await resource.duplicate(context, node.resourceId, options)
    const destination = { anchorId: node.id, position: 'after' } as const
    const made = { base, resourceType, resourceId }
    const copy = await addNodeAt(context, tree, destination, made)
    return viewNode(tx, copy, readableTypes(context))
  },
})

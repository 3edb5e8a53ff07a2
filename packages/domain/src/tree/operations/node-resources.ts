import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import type { ResourceType } from '../tree-node.ts'
import type { NodeResource } from './node-resource.ts'
import { dashboard } from './resources/dashboard.ts'
import { folder } from './resources/folder.ts'
import { table } from './resources/table.ts'
import { workflow } from './resources/workflow.ts'

/** Every type of resource that a node can stand for. */
const nodeResources: Readonly<Record<ResourceType, NodeResource>> = {
  folder,
  table,
  dashboard,
  workflow,
}

/** How the tree handles resources of the type. */
export function nodeResourceOf(type: ResourceType): NodeResource {
  return nodeResources[type]
}

/** What makes a node: where it goes, and the members of its resource type. */
export const newNodeSchema = z.discriminatedUnion('resourceType', [
  newNodeOf('folder', folder.input),
  newNodeOf('table', table.input),
  newNodeOf('dashboard', dashboard.input),
  newNodeOf('workflow', workflow.input),
])
export type NewNodeInput = z.output<typeof newNodeSchema>

function newNodeOf<Type extends ResourceType, Shape extends z.ZodRawShape>(
  type: Type,
  input: z.ZodObject<Shape>,
) {
  return z.object({
    baseId: idSchema,
    resourceType: z.literal(type),
    /** The node of a folder; null or absent for the root. */
    parentId: idSchema.nullable().optional(),
    ...input.shape,
  })
}

import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { removeNode } from '../remove-node-of.ts'
import { resourceTypes } from '../tree-node.ts'
import { type NodeScope, onNode } from './node-guard.ts'
import type { ResourceContext } from './node-resource.ts'
import { nodeResourceOf } from './node-resources.ts'

const nodeDeletion = z
  .object({
    resourceId: z.string().describe('The id of what the node stood for'),
    resourceType: z.enum(resourceTypes).describe('What it stood for'),
    permanent: z.boolean().describe('False for what went to the trash'),
  })
  .meta({ id: 'NodeDeletion' })

/** Moves a node's resource to the trash of the base; an empty folder goes for good. */
export const deleteNode = defineWrite({
  summary: 'Delete a node',
  input: z.object({ baseId: idSchema, nodeId: idSchema }),
  output: nodeDeletion,
  answers: 'receipt',
  access: onNode((actions) => [actions.delete], 'update'),
  run: async (context) => {
    const { node, now: time, ids, userId } = context
    const { resourceId, resourceType } = node
    const resource = nodeResourceOf(resourceType)
    if (!resource.markDeleted) return deleteForGood(context)
    const deletion = { operationId: ids.next('operation'), time, userId }
    await resource.markDeleted(context, resourceId, deletion)
    await removeNode(context, node, deletion)
    return { resourceId, resourceType, permanent: false }
  },
})

/** Removes a node and its resource for good. */
export const deleteNodePermanently = defineWrite({
  summary: 'Delete a node for good',
  input: z.object({ baseId: idSchema, nodeId: idSchema }),
  output: nodeDeletion,
  answers: 'receipt',
  access: onNode((actions) => [actions.delete], 'update'),
  run: (context) => deleteForGood(context),
})

async function deleteForGood(context: ResourceContext & NodeScope) {
  const { tx, node } = context
  const { resourceId, resourceType } = node
  if ((await tx.nodes.listChildren(node.id)).length > 0) {
    throw invalidAt(['nodeId'], 'the folder is not empty: move or delete first what is in it')
  }
  await nodeResourceOf(resourceType).deletePermanently(context, resourceId)
  await removeNode(context, node, undefined)
  return { resourceId, resourceType, permanent: true }
}

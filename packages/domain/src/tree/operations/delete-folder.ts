import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { compareOrder } from '../../values/ordering.ts'
import { removeNode } from '../remove-node-of.ts'
import { Tree } from '../tree.ts'
import { onFolder } from './node-guard.ts'
import { folder } from './resources/folder.ts'

/** Deletes a folder; what is in it takes its place. */
export const deleteFolder = defineWrite({
  summary: 'Delete a folder and keep what is in it',
  input: z.object({ baseId: idSchema, folderId: idSchema }),
  output: noOutput,
  access: onFolder((actions) => [actions.delete], 'update'),
  run: async (context) => {
    const { tx, base, node, now, userId } = context
    const nodes = await tx.nodes.listPlaces(base.id)
    const moved = nodes.filter(({ parentId }) => parentId === node.id).toSorted(compareOrder)
    await tx.nodes.place(new Tree(nodes).dissolve(node.id))
    await folder.deletePermanently(context, node.resourceId)
    await removeNode(context, node, undefined)
    for (const { id: nodeId, resourceType, resourceId } of moved) {
      const payload = { baseId: base.id, nodeId, resourceType, resourceId }
      tx.emit({ name: 'node.moved', time: now, userId, payload })
    }
  },
})

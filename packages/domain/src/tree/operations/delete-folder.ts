import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { readTree } from '../read-tree.ts'
import { removeNode } from '../remove-node-of.ts'
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
    const tree = await readTree(tx, base.id)
    const moved = tree.childrenOf(node.id)
    await tx.nodes.place(tree.dissolve(node.id))
    await folder.deletePermanently(context, node.resourceId)
    await removeNode(context, node, undefined)
    for (const { id: nodeId, resourceType, resourceId } of moved) {
      const payload = { baseId: base.id, nodeId, resourceType, resourceId }
      tx.emit({ name: 'node.moved', time: now, userId, payload })
    }
  },
})

import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { assert, notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { findNode } from '../../tree/find-node.ts'
import { moveNodeIn } from '../../tree/move-node-in.ts'
import { readTree } from '../../tree/read-tree.ts'
import { defineWrite } from '../../use-case.ts'
import { onWorkflow } from '../workflow-guard.ts'

/** Moves a workflow beside another one of its base: their nodes stand side by side then. */
export const moveWorkflow = defineWrite({
  summary: 'Move a workflow before or after another one',
  input: z.object({
    baseId: idSchema,
    workflowId: idSchema,
    anchorId: idSchema.describe('The other workflow'),
    position: z.enum(['before', 'after']).describe('On which side of it'),
  }),
  output: noOutput,
  access: onWorkflow('automation|update', 'update'),
  needs: ['settings'],
  run: async (context, { baseId, anchorId, position }) => {
    const { tx, workflow } = context
    const node = await tx.nodes.findOf(workflow.id)
    assert(node, `the workflow ${workflow.id} has a node`)
    const anchor = await findNode(tx, baseId, anchorId)
    if (anchor?.resourceType !== 'workflow') throw notFound('workflow', anchorId, ['anchorId'])
    const tree = await readTree(tx, baseId)
    await moveNodeIn(context, tree, node, { anchorId: anchor.id, position })
  },
})

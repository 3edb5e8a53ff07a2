import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { assert } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { addNodeAt } from '../../tree/add-node.ts'
import { readTree } from '../../tree/read-tree.ts'
import { defineWrite } from '../../use-case.ts'
import { copyWorkflow } from '../add-workflow.ts'
import { onWorkflow } from '../workflow-guard.ts'
import { showWorkflow, workflowOutput } from '../workflow-output.ts'

/** Copies a workflow with its draft; the copy stands right after it and isn't active. */
export const duplicateWorkflow = defineWrite({
  summary: 'Duplicate a workflow',
  input: z.object({ baseId: idSchema, workflowId: idSchema }),
  output: workflowOutput,
  access: showing(onWorkflow('automation|create', 'update'), 'automation|read'),
  run: async (context) => {
    const { tx, base, workflow } = context
    const node = await tx.nodes.findOf(workflow.id)
    assert(node, `the workflow ${workflow.id} has a node`)
    const tree = await readTree(tx, base.id)
    const made = await copyWorkflow(context, workflow.id)
    const destination = { anchorId: node.id, position: 'after' } as const
    const resource = { resourceType: 'workflow', resourceId: made.id } as const
    await addNodeAt(context, tree, destination, { base, ...resource })
    return showWorkflow(context, made)
  },
})

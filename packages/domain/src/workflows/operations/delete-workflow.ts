import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { removeNodeOf } from '../../tree/remove-node-of.ts'
import { defineWrite } from '../../use-case.ts'
import { markWorkflowDeleted } from '../add-workflow.ts'
import { onWorkflow, onWorkflowOrTrash } from '../workflow-guard.ts'

const one = z.object({ baseId: idSchema, workflowId: idSchema })

/** Moves a workflow to the base's trash, with its node in the tree. */
export const deleteWorkflow = defineWrite({
  summary: 'Delete a workflow',
  input: one,
  output: noOutput,
  access: onWorkflow('automation|delete', 'update'),
  run: async (context) => {
    const { now: time, userId, ids, workflow } = context
    const deletion = { operationId: ids.next('operation'), time, userId }
    await markWorkflowDeleted(context, workflow, deletion)
    await removeNodeOf(context, workflow.id, deletion)
  },
})

/** Removes a workflow for good, with its node. It may lie in the trash. */
export const deleteWorkflowPermanently = defineWrite({
  summary: 'Delete a workflow for good',
  input: one,
  output: noOutput,
  access: onWorkflowOrTrash('automation|delete'),
  run: async (context) => {
    await context.tx.workflows.delete(context.workflow.id)
    await removeNodeOf(context, context.workflow.id)
  },
})

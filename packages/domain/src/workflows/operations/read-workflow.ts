import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { activeFlowOf } from '../workflow.ts'
import { onWorkflow } from '../workflow-guard.ts'
import {
  listedWorkflowOutput,
  showWorkflow,
  toListedWorkflow,
  workflowOutput,
} from '../workflow-output.ts'

const one = z.object({ baseId: idSchema, workflowId: idSchema })

/** Lists the workflows of a base in the order of their nodes. */
export const listWorkflows = defineRead({
  summary: 'List workflows',
  input: z.object({
    baseId: idSchema,
    onlyFirst: z.boolean().optional().describe('Whether the first one alone is answered'),
  }),
  output: z.array(listedWorkflowOutput),
  access: onBase('automation|read'),
  run: async ({ tx, base }, { onlyFirst = false }) => {
    const places = (await tx.nodes.list(base.id)).filter(
      ({ resourceType }) => resourceType === 'workflow',
    )
    const [first] = places
    if (!first) return []
    if (onlyFirst) {
      const workflow = await tx.workflows.find(first.resourceId)
      return workflow ? [toListedWorkflow(workflow)] : []
    }
    const byId = new Map((await tx.workflows.listOf(base.id)).map((one) => [one.id, one]))
    return places.flatMap(({ resourceId }) => {
      const workflow = byId.get(resourceId)
      return workflow ? toListedWorkflow(workflow) : []
    })
  },
})

/** Answers a workflow with its draft. */
export const getWorkflow = defineRead({
  summary: 'Get a workflow',
  input: one,
  output: workflowOutput,
  access: onWorkflow('automation|read'),
  run: (context) => showWorkflow(context, context.workflow),
})

/** Answers what is in force of a workflow, as it was when it was activated, whatever has become of the draft. */
export const getActiveSnapshot = defineRead({
  summary: 'Get the active version of a workflow',
  input: one,
  output: workflowOutput,
  access: onWorkflow('automation|read'),
  run: async (context) => {
    const { workflow } = context
    const inForce = activeFlowOf(workflow)
    if (!inForce) {
      const advice = 'it has not been activated, or not again since it was deactivated'
      throw notFound('active snapshot of the workflow', workflow.id, undefined, advice)
    }
    return showWorkflow(context, workflow, inForce)
  },
})

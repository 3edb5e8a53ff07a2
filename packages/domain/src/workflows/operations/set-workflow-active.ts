import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import type { NodeContext } from '../../tree/add-node.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { changeWorkflow } from '../change-workflow.ts'
import { requireRunnable } from '../flow/require-runnable.ts'
import { draftFrom, flowOf, hasDraft, type Workflow } from '../workflow.ts'
import { onWorkflow, type WorkflowScope } from '../workflow-guard.ts'

type MethodContext = NodeContext & Pick<CallContext, 'plans'> & Pick<WorkflowScope, 'base'>

const methods = {
  activate,
  deactivate: async (context: NodeContext, workflow: Workflow) => {
    if (workflow.activeBy !== null) await changeWorkflow(context, workflow, { activeBy: null })
  },
  discard: async (context: NodeContext, workflow: Workflow) => {
    if (!workflow.published) {
      const message = 'there is nothing to go back to: the workflow has not been activated yet'
      throw invalidAt(['method'], message)
    }
    const draft = draftFrom(workflow.published)
    const isSame = JSON.stringify(draft) === JSON.stringify(workflow.draft)
    if (!isSame) await changeWorkflow(context, workflow, { draft })
  },
}

/** Activates the draft of a workflow, deactivates the workflow, or makes the draft what was activated last. */
export const setWorkflowActive = defineWrite({
  summary: 'Activate or deactivate a workflow, or discard its draft',
  input: z.object({
    baseId: idSchema,
    workflowId: idSchema,
    method: z
      .enum(['activate', 'deactivate', 'discard'])
      .describe(
        '`activate` runs the draft from now on, `deactivate` runs nothing any more, `discard` makes the draft what was activated last',
      ),
  }),
  output: noOutput,
  access: onWorkflow('automation|update', 'update'),
  run: async (context, { method }) => methods[method](context, context.workflow),
})

/** Publishes the draft as it is. What is in force already, under the same name, stays as it was. */
async function activate(context: MethodContext, workflow: Workflow): Promise<void> {
  const { name, description, published, activeBy } = workflow
  const isSame = published?.name === name && published.description === description
  if (activeBy !== null && !hasDraft(workflow) && isSame) return
  context.plans.requireOn(context.base.spaceId, 'automationEnable')
  const { nodes } = flowOf(workflow)
  await requireRunnable(context.tx, workflow.baseId, nodes)
  const { userId, now } = context
  await changeWorkflow(context, workflow, {
    draft: null,
    published: { nodes, name, description, publishedBy: userId, publishedTime: now },
    activeBy: userId,
  })
}

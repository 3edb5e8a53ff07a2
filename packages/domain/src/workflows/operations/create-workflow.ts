import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { idSchema } from '../../ids.ts'
import { addNode } from '../../tree/add-node.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema, nameSchema } from '../../values/names.ts'
import { addWorkflow, freeWorkflowName } from '../add-workflow.ts'
import { withTrigger } from '../set-trigger.ts'
import { triggerSchema } from '../workflow-input.ts'
import { showWorkflow, workflowOutput } from '../workflow-output.ts'

/** Creates a workflow at the end of the tree. It has a draft alone until it is activated. */
export const createWorkflow = defineWrite({
  summary: 'Create a workflow',
  input: z.object({
    baseId: idSchema,
    name: nameSchema.optional().describe('What it is called; "Workflow", numbered, if left out'),
    description: descriptionSchema.optional().describe('What people say of it'),
    trigger: triggerSchema.optional().describe('What sets it off'),
  }),
  output: workflowOutput,
  access: onBase('automation|create', 'update'),
  run: async (context, { name, description, trigger }) => {
    const { base } = context
    const baseId = base.id
    const empty = { nodes: [] }
    const draft = trigger ? withTrigger(context, empty, trigger, ['trigger']).flow : empty
    const called = name ?? (await freeWorkflowName(context, baseId, 'Workflow'))
    const workflow = await addWorkflow(context, { baseId, name: called, description, draft })
    const made = { resourceType: 'workflow', resourceId: workflow.id } as const
    await addNode(context, { base, parentId: null, ...made })
    return showWorkflow(context, workflow)
  },
})

import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema, nameSchema } from '../../values/names.ts'
import { changeWorkflow } from '../change-workflow.ts'
import { withTrigger } from '../set-trigger.ts'
import { flowOf } from '../workflow.ts'
import { onWorkflow } from '../workflow-guard.ts'
import { triggerSchema } from '../workflow-input.ts'

/** Renames or describes a workflow, or gives its draft another trigger; what is left out stays. */
export const updateWorkflow = defineWrite({
  summary: 'Change a workflow',
  input: z.object({
    baseId: idSchema,
    workflowId: idSchema,
    name: nameSchema.optional().describe('What it is called from now on'),
    description: descriptionSchema.optional().describe('What people say of it; null for nothing'),
    trigger: triggerSchema.optional().describe('What sets it off'),
  }),
  output: noOutput,
  access: onWorkflow('automation|update', 'update'),
  run: async (context, { name, description, trigger }) => {
    const { workflow } = context
    const change = {
      name: name ?? workflow.name,
      description: description === undefined ? workflow.description : description,
      draft: trigger
        ? withTrigger(context, flowOf(workflow), trigger, ['trigger']).flow
        : workflow.draft,
    }
    const isSame =
      change.name === workflow.name &&
      change.description === workflow.description &&
      change.draft === workflow.draft
    if (!isSame) await changeWorkflow(context, workflow, change)
  },
})

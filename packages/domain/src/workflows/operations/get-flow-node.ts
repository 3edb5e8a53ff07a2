import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { shownWith } from '../change-flow.ts'
import { flowNodeOutput } from '../nodes/flow-node.ts'
import { onFlowNode } from '../workflow-guard.ts'

const ofWorkflow = { baseId: idSchema, workflowId: idSchema }

/** Answers the trigger of a draft. */
export const getTrigger = defineRead({
  summary: 'Get the trigger of a workflow',
  input: z.object({ ...ofWorkflow, triggerId: idSchema }),
  output: flowNodeOutput,
  access: onFlowNode('triggerId', 'automation|read'),
  run: async ({ workflow, node }) => shownWith(workflow, node),
})

/** Answers an action of a draft. */
export const getAction = defineRead({
  summary: 'Get an action of a workflow',
  input: z.object({ ...ofWorkflow, actionId: idSchema }),
  output: flowNodeOutput,
  access: onFlowNode('actionId', 'automation|read'),
  run: async ({ workflow, node }) => shownWith(workflow, node),
})

/** Answers logic of a draft. */
export const getLogic = defineRead({
  summary: 'Get a condition or a loop of a workflow',
  input: z.object({ ...ofWorkflow, logicId: idSchema }),
  output: flowNodeOutput,
  access: onFlowNode('logicId', 'automation|read'),
  run: async ({ workflow, node }) => shownWith(workflow, node),
})

import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { idSchema } from '../../ids.ts'
import { defineWrite } from '../../use-case.ts'
import { changeFlow, shownWith } from '../change-flow.ts'
import { FlowGraph } from '../flow/flow-graph.ts'
import { withControls } from '../flow/logic-parts.ts'
import { makeNode } from '../make-node.ts'
import { flowNodeOutput, toFlowNodeOutput } from '../nodes/flow-node.ts'
import { withTrigger } from '../set-trigger.ts'
import { flowOf } from '../workflow.ts'
import { onFlowNode, onWorkflow } from '../workflow-guard.ts'
import { actionSchema, logicSchema, triggerSchema } from '../workflow-input.ts'

const ofWorkflow = { baseId: idSchema, workflowId: idSchema }
const access = onWorkflow('automation|update', 'update')

/** Gives the draft of a workflow a trigger, in the place of the one that it has. */
export const setTrigger = defineWrite({
  summary: 'Set the trigger of a workflow',
  input: z.object({ ...ofWorkflow, ...triggerSchema.shape }),
  output: flowNodeOutput,
  access,
  run: async (context, sent) => {
    const { flow, trigger } = withTrigger(context, flowOf(context.workflow), sent, [])
    return shownWith(await changeFlow(context, context.workflow, flow.nodes), trigger)
  },
})

/** Adds an action to the draft of a workflow, right after another node. */
export const addAction = defineWrite({
  summary: 'Add an action to a workflow',
  input: z.object({ ...ofWorkflow, ...actionSchema.shape }),
  output: flowNodeOutput,
  access,
  run: async (context, sent) => {
    const node = makeNode(context, 'action', sent)
    const graph = new FlowGraph(flowOf(context.workflow).nodes)
    const nodes = graph.insert({ node, controls: [] })
    return shownWith(await changeFlow(context, context.workflow, nodes), node)
  },
})

/** Adds logic to the draft of a workflow, right after another node, with the control nodes that mark its parts. */
export const addLogic = defineWrite({
  summary: 'Add a condition or a loop to a workflow',
  input: z.object({ ...ofWorkflow, ...logicSchema.shape }),
  output: z.object({
    logic: flowNodeOutput,
    controls: z
      .array(flowNodeOutput)
      .describe('The nodes that mark its parts: each branch of a condition, and the end'),
  }),
  access,
  run: async (context, sent) => {
    const graph = new FlowGraph(flowOf(context.workflow).nodes)
    const added = withControls(context, graph, makeNode(context, 'logic', sent))
    const changed = await changeFlow(context, context.workflow, graph.insert(added))
    return {
      logic: toFlowNodeOutput(added.node),
      controls: added.controls.map(toFlowNodeOutput),
      version: changed.version,
    }
  },
})

/** Copies an action of a draft; the copy comes right after it. */
export const duplicateAction = defineWrite({
  summary: 'Duplicate an action of a workflow',
  input: z.object({ ...ofWorkflow, actionId: idSchema }),
  output: flowNodeOutput,
  access: showing(onFlowNode('actionId', 'automation|update'), 'automation|read'),
  run: async (context) => {
    const { workflow, node: original, ids, now } = context
    const made = { id: ids.next('action'), createdTime: now, lastModifiedTime: null }
    const node = { ...original, ...made, parentNodeId: original.id }
    const nodes = new FlowGraph(flowOf(workflow).nodes).insert({ node, controls: [] })
    return shownWith(await changeFlow(context, workflow, nodes), node)
  },
})

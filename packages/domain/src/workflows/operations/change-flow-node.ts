import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import type { NodeContext } from '../../tree/add-node.ts'
import { defineWrite } from '../../use-case.ts'
import { changeFlow, shownWith } from '../change-flow.ts'
import { FlowGraph } from '../flow/flow-graph.ts'
import { withControls } from '../flow/logic-parts.ts'
import { changedNode } from '../make-node.ts'
import { flowNodeOutput } from '../nodes/flow-node.ts'
import { flowOf } from '../workflow.ts'
import { type FlowNodeScope, onFlowNode } from '../workflow-guard.ts'
import {
  actionChangeSchema,
  logicChangeSchema,
  type NodeChange,
  triggerChangeSchema,
} from '../workflow-input.ts'

const ofWorkflow = { baseId: idSchema, workflowId: idSchema }

/** Changes the trigger of a draft; what is left out stays. */
export const updateTrigger = defineWrite({
  summary: 'Change the trigger of a workflow',
  input: z.object({ ...ofWorkflow, triggerId: idSchema, ...triggerChangeSchema.shape }),
  output: flowNodeOutput,
  access: showing(onFlowNode('triggerId', 'automation|update'), 'automation|read'),
  run: changeNode,
})

/** Changes an action of a draft; what is left out stays. */
export const updateAction = defineWrite({
  summary: 'Change an action of a workflow',
  input: z.object({ ...ofWorkflow, actionId: idSchema, ...actionChangeSchema.shape }),
  output: flowNodeOutput,
  access: showing(onFlowNode('actionId', 'automation|update'), 'automation|read'),
  run: changeNode,
})

/** Changes logic of a draft; what is left out stays. Branches that have nodes in them stay, too. */
export const updateLogic = defineWrite({
  summary: 'Change a condition or a loop of a workflow',
  input: z.object({ ...ofWorkflow, logicId: idSchema, ...logicChangeSchema.shape }),
  output: flowNodeOutput,
  access: showing(onFlowNode('logicId', 'automation|update'), 'automation|read'),
  run: changeNode,
})

/** Takes an action out of a draft; what comes after it takes its place. */
export const deleteAction = defineWrite({
  summary: 'Delete an action of a workflow',
  input: z.object({ ...ofWorkflow, actionId: idSchema }),
  output: noOutput,
  access: onFlowNode('actionId', 'automation|update'),
  run: deleteNode,
})

/** Takes logic out of a draft with all that is in it; what comes after it takes its place. */
export const deleteLogic = defineWrite({
  summary: 'Delete a condition or a loop of a workflow',
  input: z.object({ ...ofWorkflow, logicId: idSchema }),
  output: noOutput,
  access: onFlowNode('logicId', 'automation|update'),
  run: deleteNode,
})

type Context = NodeContext & FlowNodeScope

async function changeNode(context: Context, change: NodeChange) {
  const { workflow, node } = context
  const { name, description, config } = change
  if (name === undefined && description === undefined && config === undefined) {
    return shownWith(workflow, node)
  }
  const graph = new FlowGraph(flowOf(workflow).nodes)
  const changed = changedNode(context, node, change)
  const parts =
    changed.category === 'logic'
      ? withControls(context, graph, changed)
      : { node: changed, controls: graph.controlsOf(node.id) }
  return shownWith(await changeFlow(context, workflow, graph.with(parts)), parts.node)
}

async function deleteNode(context: Context): Promise<void> {
  const { workflow, node } = context
  await changeFlow(context, workflow, new FlowGraph(flowOf(workflow).nodes).without(node))
}

import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { NodeContext } from '../tree/add-node.ts'
import type { Versioned } from '../use-case.ts'
import { changeWorkflow } from './change-workflow.ts'
import { type FlowNode, type FlowNodeOutput, toFlowNodeOutput } from './nodes/flow-node.ts'
import type { Workflow } from './workflow.ts'

/** Keeps the nodes as the draft of a workflow of a base that is held for update. Throws validation_error for too many. */
export async function changeFlow(
  context: NodeContext,
  workflow: Workflow,
  nodes: readonly FlowNode[],
): Promise<Workflow> {
  if (nodes.length > limits.nodesPerWorkflow) {
    throw invalidAt([], `a workflow has ${limits.nodesPerWorkflow} nodes at most`)
  }
  return changeWorkflow(context, workflow, { draft: { nodes } })
}

/** The node as it is shown, with the version of its workflow. */
export function shownWith(
  { version }: Pick<Workflow, 'version'>,
  node: FlowNode,
): Versioned<FlowNodeOutput> {
  return { ...toFlowNodeOutput(node), version }
}

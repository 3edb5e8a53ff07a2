import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import type { NodeContext } from '../tree/add-node.ts'
import { touchNodeOf } from '../tree/touch-node-of.ts'
import type { Flow } from './nodes/flow-node.ts'
import type { Workflow } from './workflow.ts'

/** What changes of a workflow; what is left out stays. */
type WorkflowChange = Partial<
  Pick<Workflow, 'name' | 'description' | 'draft' | 'published' | 'activeBy'>
>

/**
 * Changes a workflow of a base that is held for update; what its node shows counts as a change of that. Answers the
 * workflow as it is then. Throws validation_error where what it runs gets too long.
 */
export async function changeWorkflow(
  context: NodeContext,
  workflow: Workflow,
  change: WorkflowChange,
): Promise<Workflow> {
  const { tx, now, userId } = context
  const changed = { ...workflow, ...change, lastModifiedBy: userId, lastModifiedTime: now }
  await tx.workflows.update(changed)
  if (change.draft && change.draft !== workflow.draft) {
    const length = requireFlowLength(change.draft)
    if (length > JSON.stringify(workflow.draft).length) {
      await requireRoomForFlows(tx, workflow.baseId)
    }
  }
  const isShown = changed.name !== workflow.name || changed.activeBy !== workflow.activeBy
  if (isShown) await touchNodeOf(context, workflow.id)
  const payload = { baseId: workflow.baseId, workflowId: workflow.id }
  tx.emit({ name: 'workflow.updated', time: now, userId, payload })
  return { ...changed, version: workflow.version + 1 }
}

/** The characters of a draft as JSON. Throws validation_error for more than what a workflow runs may have. */
export function requireFlowLength(draft: Flow): number {
  const { length } = JSON.stringify(draft)
  if (length <= limits.flowLength) return length
  const most = `what a workflow runs has ${limits.flowLength} characters at most`
  throw invalidAt([], `${most}, written as JSON`)
}

/** Refuses what makes the workflows of a base longer than all of them may be together. */
export async function requireRoomForFlows(tx: WriteTx, baseId: string): Promise<void> {
  if ((await tx.workflows.flowsLength(baseId)) <= limits.flowsLengthPerBase) return
  const most = `the workflows of a base have ${limits.flowsLengthPerBase} characters at most`
  throw invalidAt([], `${most} together, written as JSON: delete nodes or workflows first`)
}

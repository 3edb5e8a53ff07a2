import { assert } from '../errors.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { NodeContext } from '../tree/add-node.ts'
import { toFreeName } from '../values/names.ts'
import { requireFlowLength, requireRoomForFlows } from './change-workflow.ts'
import { copyFlow } from './flow/copy-flow.ts'
import type { Flow } from './nodes/flow-node.ts'
import { flowOf, type Workflow } from './workflow.ts'

/** What a workflow begins with. */
interface NewWorkflow {
  /** Left out where it is given one now. */
  readonly id?: string
  readonly baseId: string
  readonly name: string
  readonly description?: string | null | undefined
  readonly draft: Flow
}

/** A workflow that begins now, by the caller. */
export function newWorkflow(
  { ids, now, userId }: Pick<NodeContext, 'ids' | 'now' | 'userId'>,
  { id = ids.next('workflow'), baseId, name, description = null, draft }: NewWorkflow,
): Workflow {
  return {
    ...{ id, baseId, name, description, draft },
    ...{ published: null, activeBy: null, createdBy: userId, createdTime: now },
    ...{ lastModifiedBy: null, lastModifiedTime: null, version: 1 },
  }
}

/** Adds a workflow to a base that is held for update, all but its node. Throws validation_error where it is too long. */
export async function addWorkflow(context: NodeContext, made: NewWorkflow): Promise<Workflow> {
  requireFlowLength(made.draft)
  const workflow = newWorkflow(context, made)
  await context.tx.workflows.insert([workflow])
  if (made.draft.nodes.length > 0) await requireRoomForFlows(context.tx, made.baseId)
  return workflow
}

/**
 * Copies a workflow into its base, which is held for update, all but its node. The copy has the draft of the original, and
 * isn't active. Its name is that of the original, numbered, where none is given.
 */
export async function copyWorkflow(
  context: NodeContext,
  workflowId: string,
  name?: string,
): Promise<Workflow> {
  // Held, as whoever gives choices other names looks for copies once they have had their turn.
  const original = await context.tx.workflows.find(workflowId, 'update')
  assert(original, `the workflow ${workflowId} of a living node is there`)
  const { baseId, description } = original
  const draft = copyFlow(context, flowOf(original))
  const wanted = name ?? (await freeWorkflowName(context, baseId, original.name))
  return addWorkflow(context, { baseId, name: wanted, description, draft })
}

/** The name, numbered where a workflow of the base has it. */
export async function freeWorkflowName(
  { tx }: Pick<NodeContext, 'tx'>,
  baseId: string,
  wanted: string,
): Promise<string> {
  const names = new Set(await tx.workflows.listNames(baseId))
  return toFreeName(wanted, (candidate) => names.has(candidate))
}

/** Marks a workflow as deleted, all but its node. What is in force of it is in force no more, until it comes back. */
export async function markWorkflowDeleted(
  { tx }: Pick<NodeContext, 'tx'>,
  { id, baseId }: Pick<Workflow, 'id' | 'baseId'>,
  deletion: Deletion,
): Promise<void> {
  await tx.workflows.markDeleted(id, deletion)
  const what = { resourceType: 'workflow', resourceIds: [id] } as const
  await tx.trash.add(deletion, { placeId: baseId, ...what })
}

import { z } from 'zod'
import { shownContact, type Viewer } from '../accounts/users/shown-contact.ts'
import type { ReadTx } from '../store.ts'
import type { Versioned } from '../use-case.ts'
import { FlowGraph } from './flow/flow-graph.ts'
import { flowNodeOutput, toFlowNodeOutput } from './nodes/flow-node.ts'
import { flowOf, hasDraft, type PublishedFlow, type Workflow } from './workflow.ts'

const shape = {
  id: z.string().describe('The id of the workflow'),
  name: z.string().describe('What it is called'),
  description: z.string().optional().describe('What people say of it'),
  hasDraft: z.boolean().describe('Whether its draft has something that was not activated yet'),
  isActive: z.boolean().describe('Whether what was activated is in force'),
  createdBy: z.string().describe('The id of the user who made it'),
  createdTime: z.string().describe('When it was made'),
  lastModifiedBy: z.string().optional().describe('The id of the user who changed it last'),
  lastModifiedTime: z.string().optional().describe('When it was last changed'),
}

/** A workflow as lists show it. */
export const listedWorkflowOutput = z
  .object({
    ...shape,
    nodes: z
      .array(flowNodeOutput.omit({ config: true }))
      .describe('The nodes of its draft, without what their types take'),
  })
  .meta({ id: 'ListedWorkflow' })

/** A workflow as callers see it: its draft, or what is in force of it. */
export const workflowOutput = z
  .object({
    ...shape,
    baseId: z.string().describe('The base that it belongs to'),
    nodes: z.array(flowNodeOutput).describe('Its trigger, and what follows in order'),
    edges: z
      .array(z.object({ source: z.string(), target: z.string() }))
      .describe('Which node comes right after which, by their ids'),
    activeUser: z
      .object({
        id: z.string(),
        name: z.string(),
        email: z.string().optional(),
        avatar: z.string().optional(),
      })
      .optional()
      .describe(
        'Who activated it, while it is active; the address is left out for access tokens without the scope `user|email_read`',
      ),
  })
  .meta({ id: 'Workflow' })
type WorkflowOutput = z.output<typeof workflowOutput>

/** The workflow with its draft, or with what is in force of it. */
export async function showWorkflow(
  { tx, ...viewer }: Viewer & { readonly tx: ReadTx },
  workflow: Workflow,
  inForce?: PublishedFlow,
): Promise<Versioned<WorkflowOutput>> {
  const { baseId, activeBy, version } = workflow
  const { nodes } = inForce ?? flowOf(workflow)
  const profiles = activeBy === null ? undefined : await tx.users.profilesOf([activeBy])
  const user = profiles?.get(activeBy ?? '')
  return {
    ...shown(inForce ? asOf(inForce, workflow) : workflow),
    baseId,
    nodes: nodes.map(toFlowNodeOutput),
    edges: [...new FlowGraph(nodes).edges()],
    ...(activeBy !== null &&
      user && { activeUser: { id: activeBy, name: user.name, ...shownContact(viewer, user) } }),
    version,
  }
}

/** The workflow as lists show it. */
export function toListedWorkflow(workflow: Workflow): z.output<typeof listedWorkflowOutput> {
  const nodes = flowOf(workflow).nodes.map((node) => {
    const { config: _, ...rest } = toFlowNodeOutput(node)
    return rest
  })
  return { ...shown(workflow), nodes }
}

function shown(workflow: Workflow) {
  const { id, name, description, createdBy, createdTime } = workflow
  const { lastModifiedBy, lastModifiedTime } = workflow
  return {
    id,
    name,
    ...(description !== null && { description }),
    hasDraft: hasDraft(workflow),
    isActive: workflow.activeBy !== null,
    createdBy,
    createdTime,
    ...(lastModifiedBy !== null && { lastModifiedBy }),
    ...(lastModifiedTime !== null && { lastModifiedTime }),
  }
}

/** The workflow as it was when this was published, but for its draft and whether it is active. */
function asOf(
  { name, description, publishedBy, publishedTime }: PublishedFlow,
  workflow: Workflow,
): Workflow {
  const changed = { lastModifiedBy: publishedBy, lastModifiedTime: publishedTime }
  return { ...workflow, name, description, ...changed }
}

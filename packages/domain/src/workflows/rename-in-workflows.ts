import { invalidAt } from '../errors.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import { deletedPages } from '../trash/deleted-pages.ts'
import type { NodeContext } from '../tree/add-node.ts'
import { changeWorkflow } from './change-workflow.ts'
import type { Flow, FlowNode } from './flow-node.ts'
import { flowOf, type Workflow } from './workflow.ts'

/**
 * Renames in the filters of the drafts of a base's workflows, those in the trash among them. Snapshots stay as they are, so that a
 * workflow without a draft gets one. Throws validation_error where there is no room for longer ones.
 */
export async function renameInWorkflows(
  context: NodeContext,
  baseId: string,
  rename: (filter: Filter) => Filter,
): Promise<void> {
  const { tx } = context
  for (const { id } of (await tx.workflows.listOf(baseId)).filter((one) => renamed(one, rename))) {
    // Held from here on: it may be another one by now.
    const workflow = await tx.workflows.find(id, 'update')
    const change = workflow && renamed(workflow, rename)
    if (change) await changeWorkflow(context, workflow, change)
    await tx.giveWay()
  }
  for await (const page of deletedPages((page) => tx.workflows.deletedIn(baseId, page))) {
    for (const { thing } of page) {
      const change = renamed(thing, rename)
      if (change) await tx.workflows.update({ ...thing, ...change })
    }
  }
}

/** The draft with other names in its filters; undefined where nothing of it has another name. */
function renamed(
  workflow: Workflow,
  rename: (filter: Filter) => Filter,
): Pick<Workflow, 'draft'> | undefined {
  const before = flowOf(workflow)
  const draft = { nodes: before.nodes.map((node) => renamedIn(node, rename)) }
  if (draft.nodes.every((node, index) => node === before.nodes[index])) return undefined
  const [length, lengthBefore] = [lengthOf(draft), lengthOf(before)]
  if (length > lengthBefore && length > limits.flowLength) throw noRoom(workflow)
  const { published } = workflow
  const isPublished = published && JSON.stringify(published.nodes) === JSON.stringify(draft.nodes)
  return { draft: isPublished ? null : draft }
}

function renamedIn(node: FlowNode, rename: (filter: Filter) => Filter): FlowNode {
  const parsed = filterSchema.safeParse(node.config.filter)
  if (!parsed.success) return node
  const filter = rename(parsed.data)
  if (JSON.stringify(filter) === JSON.stringify(parsed.data)) return node
  return { ...node, config: { ...node.config, filter } }
}

function lengthOf(flow: Flow): number {
  return JSON.stringify(flow).length
}

function noRoom({ name }: Workflow) {
  return invalidAt(['options'], `The workflow "${name}" has no room for the names of the choices`)
}

import type { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import { untilNoneIsLeft } from '../structures/until-none-is-left.ts'
import type { NodeContext } from '../tree/add-node.ts'
import { changeWorkflow, requireRoomForFlows } from './change-workflow.ts'
import type { Flow, FlowNode } from './nodes/flow-node.ts'
import { cellsSchema } from './nodes/template.ts'
import { flowOf, type PublishedFlow, type Workflow } from './workflow.ts'

type CellValues = z.output<typeof cellsSchema>
type CellValue = CellValues[string]

/** Gives what nodes say of choices other names. */
interface FlowRename {
  /** The filter with the names of today. */
  inFilter(filter: Filter): Filter
  /** The value that a node writes into a field, with the names of today. */
  inValue(fieldId: string, value: CellValue): CellValue
}

/** Workflows that are read in one go. */
const workflowsAtOnce = 50

/**
 * Renames in the filters of the drafts of a base's workflows, and in the values that these write, in the trash, too. Snapshots stay
 * as they are, so that a workflow without a draft gets one; what a draft goes back to has the new names. Throws validation_error
 * where there is no room for longer ones.
 */
export async function renameInWorkflows(
  context: NodeContext,
  baseId: string,
  rename: FlowRename,
): Promise<void> {
  const { tx } = context
  const search = {
    most: workflowsAtOnce,
    // In one order, whether they are in the trash: one that comes back from there meanwhile isn't missed.
    find: (after: string, most: number) => tx.workflows.allIn(baseId, { after, most }),
    isMeant: (workflow: Workflow) => renamed(workflow, rename) !== undefined,
    giveWay: () => tx.giveWay(),
  }
  await untilNoneIsLeft(search, (id) => renameIn(context, id, rename))
}

/** Renames in a workflow, held from here on: it may be another one by now, in the trash or back from it. */
async function renameIn(context: NodeContext, id: string, rename: FlowRename): Promise<void> {
  const { workflows } = context.tx
  const found = await workflows.findOrTrash(id, 'update')
  const change = found && renamed(found.workflow, rename)
  if (!change) return
  const { workflow, isDeleted } = found
  // One that comes back from the trash is asked for room then.
  if (isDeleted) return workflows.update({ ...workflow, ...change })
  await changeWorkflow(context, workflow, change)
  const isLonger =
    JSON.stringify(change.published).length > JSON.stringify(workflow.published).length
  if (isLonger) await requireRoomForFlows(context.tx, workflow.baseId)
}

/** The draft, and what it goes back to, with other names; undefined where nothing of them has another name. */
function renamed(
  workflow: Workflow,
  rename: FlowRename,
): Pick<Workflow, 'draft' | 'published'> | undefined {
  const { published } = workflow
  const draft = renamedFlow(workflow, flowOf(workflow), rename)
  const snapshot =
    published && renamedFlow(workflow, { nodes: published.renamed ?? published.nodes }, rename)
  if (!draft && !snapshot) return undefined
  return {
    draft: draft && isPublished(draft, published) ? null : (draft ?? workflow.draft),
    published: published && snapshot ? withNames(published, snapshot) : published,
  }
}

/** The snapshot, which keeps its names, with those of today beside them. */
function withNames({ renamed: _, ...published }: PublishedFlow, today: Flow): PublishedFlow {
  return isPublished(today, published) ? published : { ...published, renamed: today.nodes }
}

function isPublished({ nodes }: Flow, published: Flow | null): boolean {
  return published !== null && JSON.stringify(published.nodes) === JSON.stringify(nodes)
}

/** A flow with other names; undefined where nothing of it has another name. */
function renamedFlow(workflow: Workflow, before: Flow, rename: FlowRename): Flow | undefined {
  const after = { nodes: before.nodes.map((node) => renamedIn(node, rename)) }
  if (after.nodes.every((node, index) => node === before.nodes[index])) return undefined
  const [length, lengthBefore] = [lengthOf(after), lengthOf(before)]
  if (length > lengthBefore && length > limits.flowLength) throw noRoom(workflow)
  return after
}

function renamedIn(node: FlowNode, rename: FlowRename): FlowNode {
  const filter = renamedPart(filterSchema, node.config.filter, rename.inFilter)
  const fields = renamedPart(cellsSchema, node.config.fields, (cells) =>
    renamedValues(cells, rename),
  )
  if (!filter && !fields) return node
  return {
    ...node,
    config: { ...node.config, ...(filter && { filter }), ...(fields && { fields }) },
  }
}

/** A member of a configuration with other names; undefined where it is another thing, or nothing of it has another name. */
function renamedPart<Part>(
  schema: z.ZodType<Part>,
  value: unknown,
  rename: (part: Part) => Part,
): Part | undefined {
  const parsed = schema.safeParse(value)
  const part = parsed.success ? rename(parsed.data) : undefined
  return JSON.stringify(part) === JSON.stringify(parsed.data) ? undefined : part
}

function renamedValues(cells: CellValues, rename: FlowRename): CellValues {
  const entries = Object.entries(cells)
  return Object.fromEntries(entries.map(([id, value]) => [id, rename.inValue(id, value)]))
}

function lengthOf(flow: Flow): number {
  return JSON.stringify(flow).length
}

function noRoom({ name }: Workflow) {
  return invalidAt(['options'], `The workflow "${name}" has no room for the names of the choices`)
}

import type { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { type Filter, filterSchema } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import { deletedPages } from '../trash/deleted-pages.ts'
import type { NodeContext } from '../tree/add-node.ts'
import { changeWorkflow } from './change-workflow.ts'
import type { Flow, FlowNode } from './nodes/flow-node.ts'
import { cellsSchema } from './nodes/template.ts'
import { flowOf, type Workflow } from './workflow.ts'

type CellValues = z.output<typeof cellsSchema>
type CellValue = CellValues[string]

/** Gives what nodes say of choices other names. */
export interface FlowRename {
  /** The filter with the names of today. */
  inFilter(filter: Filter): Filter
  /** The value that a node writes into a field, with the names of today. */
  inValue(fieldId: string, value: CellValue): CellValue
}

/**
 * Renames in the filters of the drafts of a base's workflows, and in the values that these write, in the trash, too. Snapshots stay
 * as they are, so that a workflow without a draft gets one. Throws validation_error where there is no room for longer ones.
 */
export async function renameInWorkflows(
  context: NodeContext,
  baseId: string,
  rename: FlowRename,
): Promise<void> {
  const { tx } = context
  for (const { id } of (await tx.workflows.listOf(baseId)).filter((one) => renamed(one, rename))) {
    await renameIn(context, id, rename)
    await tx.giveWay()
  }
  for await (const page of deletedPages((page) => tx.workflows.deletedIn(baseId, page))) {
    const found = page.filter(({ thing }) => renamed(thing, rename))
    for (const { thing } of found) await renameIn(context, thing.id, rename)
  }
}

/** Renames in a workflow, held from here on: it may be another one by now, in the trash or back from it. */
async function renameIn(context: NodeContext, id: string, rename: FlowRename): Promise<void> {
  const { workflows } = context.tx
  const living = await workflows.find(id, 'update')
  const workflow = living ?? (await workflows.findDeleted(id, 'update'))
  const change = workflow && renamed(workflow, rename)
  if (!change) return
  if (living) await changeWorkflow(context, workflow, change)
  else await workflows.update({ ...workflow, ...change })
}

/** The draft with other names; undefined where nothing of it has another name. */
function renamed(workflow: Workflow, rename: FlowRename): Pick<Workflow, 'draft'> | undefined {
  const before = flowOf(workflow)
  const draft = { nodes: before.nodes.map((node) => renamedIn(node, rename)) }
  if (draft.nodes.every((node, index) => node === before.nodes[index])) return undefined
  const [length, lengthBefore] = [lengthOf(draft), lengthOf(before)]
  if (length > lengthBefore && length > limits.flowLength) throw noRoom(workflow)
  const { published } = workflow
  const isPublished = published && JSON.stringify(published.nodes) === JSON.stringify(draft.nodes)
  return { draft: isPublished ? null : draft }
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

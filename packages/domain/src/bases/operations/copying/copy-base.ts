import { copyDashboards, type DashboardCopy } from '../../../dashboards/copy-dashboards.ts'
import { assert, invalidAt, notFound } from '../../../errors.ts'
import { foreignTableIdOf } from '../../../fields/link-of.ts'
import { idsOfCopies } from '../../../ids/ids-of-copies.ts'
import type { Secrets } from '../../../secrets.ts'
import type { TableCopy } from '../../../tables/operations/copying/copy-fields.ts'
import { toCopy } from '../../../tables/operations/copying/copy-table.ts'
import { copyTables } from '../../../tables/operations/copying/copy-tables.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { DescribedNode } from '../../../tree/tree-node.ts'
import { newWorkflow } from '../../../workflows/add-workflow.ts'
import { copyFlow, recordsNamedIn, withoutRecords } from '../../../workflows/flow/copy-flow.ts'
import { flowOf, type Workflow } from '../../../workflows/workflow.ts'
import type { Base } from '../../base.ts'
import { type BaseCopy, FilesOfCopy } from './files-of-copy.ts'

/** What of the base is copied. */
interface BaseCopyTerms {
  readonly withRecords: boolean
  /** Nodes, by their ids or those of what they stand for; all where it is undefined. */
  readonly nodes?: readonly string[] | undefined
}

/**
 * Fills a base with what is in another one, which is held for update: its tree or a part of that, with the tables. Throws
 * validation_error where that is too much for one write, or where links would lead into another space.
 */
export async function copyBase(
  context: TableContext & { readonly secrets: Secrets },
  bases: BaseCopy,
  { withRecords, nodes: wanted }: BaseCopyTerms,
): Promise<void> {
  const { tx, now, userId } = context
  const { from, copy } = bases
  const nodes = chosen(await tx.nodes.list(from.id), wanted)
  const tableIds = nodes.flatMap(({ resourceType, resourceId }) =>
    resourceType === 'table' ? resourceId : [],
  )
  const originals = await tx.tables.findAll(tableIds.toSorted(), 'update')
  const tables = originals.map((original): TableCopy => {
    const { name, dbTableName } = original
    return { original, copy: toCopy(context, original, { baseId: copy.id, name, dbTableName }) }
  })
  if (from.spaceId !== copy.spaceId) await requireNoLinksOut(context, tables)
  const files = from.spaceId === copy.spaceId ? undefined : new FilesOfCopy(context, bases)
  const dashboardsById = new Map((await tx.dashboards.listOf(from.id)).map((one) => [one.id, one]))
  const named = namedTogether(context, bases, nodes, [...dashboardsById.keys()])
  const workflows = await workflowsOf(context, from, nodes)
  const namedRecords = recordsNamedIn(workflows.map(flowOf))
  const terms = { withRecords, member: 'withRecords', what: 'the base', files, named, namedRecords }
  const copied = await copyTables(context, tables, terms)
  const idsByOriginal = new Map(copied.idsByOriginal)
  const dashboards: DashboardCopy[] = []
  for (const { resourceType, resourceId, name } of nodes) {
    if (resourceType === 'table' || resourceType === 'workflow') continue
    const id = copyOf(resourceId, idsByOriginal)
    if (resourceType === 'folder') {
      await tx.folders.insert({ id, baseId: copy.id, name })
      continue
    }
    const made = { id, baseId: copy.id, name, createdBy: userId, createdTime: now, version: 1 }
    const original = dashboardsById.get(resourceId)
    assert(original, `the dashboard ${resourceId} of a living node is there`)
    dashboards.push({ original, copy: { ...made, layout: null } })
  }
  await copyDashboards(context, dashboards, idsByOriginal)
  const recordIds = withRecords ? copied.recordIds : undefined
  await copyWorkflows(context, copy, workflows, { idsByOriginal, recordIds })
  await copyNodes(context, copy, nodes, idsByOriginal)
}

/**
 * What the copies of the base itself, its folders, dashboards and workflows are called. It is known before any of them is made:
 * plugins and workflows may name each of them, whichever comes first. `dashboardIds` has all dashboards, in their order.
 */
function namedTogether(
  { ids }: TableContext,
  { from, copy }: BaseCopy,
  nodes: readonly DescribedNode[],
  dashboardIds: readonly string[],
): ReadonlyMap<string, string> {
  const chosenIds = new Set(nodes.map(({ resourceId }) => resourceId))
  const inOrder = dashboardIds.filter((id) => chosenIds.has(id))
  const dashboards = idsOfCopies(inOrder, ids.many('dashboard', inOrder.length))
  const made = nodes.flatMap(({ resourceType, resourceId }) =>
    resourceType === 'folder' || resourceType === 'workflow'
      ? [[resourceId, ids.next(resourceType)] as const]
      : [],
  )
  return new Map([[from.id, copy.id], ...dashboards, ...made])
}

function copyOf(originalId: string, idsByOriginal: ReadonlyMap<string, string>): string {
  const id = idsByOriginal.get(originalId)
  assert(id, `what is copied of ${originalId} has an id`)
  return id
}

async function workflowsOf(
  { tx }: TableContext,
  { id: baseId }: Base,
  nodes: readonly DescribedNode[],
): Promise<readonly Workflow[]> {
  const chosen = new Set(nodes.map(({ resourceId }) => resourceId))
  return (await tx.workflows.listOf(baseId)).filter(({ id }) => chosen.has(id))
}

/** What was copied with workflows. */
interface CopiedWith {
  readonly idsByOriginal: ReadonlyMap<string, string>
  /** The records that they name; undefined where no records came along. */
  readonly recordIds: ReadonlyMap<string, string> | undefined
}

/** Copies the workflows with their drafts, which name what was copied with them by its new ids; none of them is active. */
async function copyWorkflows(
  context: TableContext,
  copy: Base,
  originals: readonly Workflow[],
  { idsByOriginal, recordIds }: CopiedWith,
): Promise<void> {
  const copied = { get: (id: string) => idsByOriginal.get(id) ?? recordIds?.get(id) }
  const copies = originals.map((original) => {
    const { name, description } = original
    const flow = flowOf(original)
    const draft = copyFlow(context, recordIds ? flow : withoutRecords(flow, idsByOriginal), copied)
    const id = copyOf(original.id, idsByOriginal)
    return newWorkflow(context, { id, baseId: copy.id, name, description, draft })
  })
  await context.tx.workflows.insert(copies)
}

/** The nodes that are copied, in their order: those that are named, and what lies in them. */
function chosen(
  all: readonly DescribedNode[],
  wanted: readonly string[] | undefined,
): readonly DescribedNode[] {
  if (!wanted) return all
  const known = new Map(all.flatMap((node) => [[node.id, node] as const, [node.resourceId, node]]))
  const picked = new Set<string>()
  for (const [index, id] of wanted.entries()) {
    const node = known.get(id)
    if (!node) throw notFound('node', id, ['nodes', index])
    picked.add(node.id)
  }
  const childrenOf = Map.groupBy(all, ({ parentId }) => parentId)
  // What is added on the way is walked over, too.
  for (const id of picked) for (const child of childrenOf.get(id) ?? []) picked.add(child.id)
  return all.filter(({ id }) => picked.has(id))
}

/** Gives the copies of resources nodes of their own; those whose folder stays behind lie at the root. */
async function copyNodes(
  { tx, ids }: TableContext,
  { id: baseId }: Base,
  nodes: readonly DescribedNode[],
  idsByOriginal: ReadonlyMap<string, string>,
): Promise<void> {
  const nodeIds = new Map(nodes.map(({ id }) => [id, ids.next('node')]))
  const counts = new Map<string | null, number>()
  for (const { id, parentId: folder, resourceType, resourceId } of nodes) {
    const parentId = nodeIds.get(folder ?? '') ?? null
    const order = (counts.get(parentId) ?? 0) + 1
    counts.set(parentId, order)
    const copied = idsByOriginal.get(resourceId)
    if (copied === undefined) continue
    await tx.nodes.insert({
      id: nodeIds.get(id) ?? '',
      baseId,
      parentId,
      resourceType,
      resourceId: copied,
      order,
      version: 1,
    })
  }
}

/** Refuses fields that read tables which don't come along: no field reads a table of another space. */
async function requireNoLinksOut(
  { tx }: TableContext,
  tables: readonly TableCopy[],
): Promise<void> {
  const copied = new Set(tables.map(({ original }) => original.id))
  for (const { original } of tables) {
    const { fields } = await tx.fields.schemaOf(original)
    for (const { field } of fields) {
      const foreignId = foreignTableIdOf(field)
      if (foreignId === undefined || copied.has(foreignId)) continue
      const which = `"${field.name}" of the table "${original.name}"`
      const advice = 'copy it into the same space, or convert the field into text first'
      throw invalidAt(['spaceId'], `${which} reads a table that doesn't come along: ${advice}`)
    }
  }
}

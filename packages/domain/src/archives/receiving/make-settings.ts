import type { Field } from '../../fields/field.ts'
import { linkCapabilityOf } from '../../fields/link-of.ts'
import { renewTargets } from '../../fields/operations/building/make-links.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { requireRoomForViews } from '../../views/change-view.ts'
import { requireRoomForFlows } from '../../workflows/change-workflow.ts'
import type { PlannedSettings } from '../planning/plan-settings.ts'
import { asReceived } from './require-links.ts'

/**
 * Makes what lives of an archive as it was planned: the tables with fields and views, and nodes, in a base that nobody sees
 * yet. Tables that lie in the trash are there already. Throws validation_error where a table would keep more than one may.
 */
export async function makeSettings(
  context: TableContext,
  baseId: string,
  { tables, fields, views, folders, dashboards, workflows, nodes, deletions }: PlannedSettings,
): Promise<void> {
  const { tx } = context
  tx.becomeLong()
  const isLiving = ({ id }: { readonly id: string }) => !deletions.has(id)
  const living = [...tables.values()].filter(isLiving)
  const byTable = Map.groupBy(fields.values(), ({ tableId }) => tableId)
  const graph = new SchemaGraph(tx, 'update')
  for (const table of living)
    await makeTable(context, table, byTable.get(table.id) ?? [], deletions)
  for (const table of living) await graph.put(table)
  for (const table of living) {
    const own = (byTable.get(table.id) ?? []).filter(isLiving)
    await renewTargets(context, graph, table.id, own)
  }
  const shown = [...views.values()].map(({ view }) => view).filter(isLiving)
  await tx.views.insert(shown.filter(({ tableId }) => !deletions.has(tableId)))
  for (const table of living) await requireRoomForViews(context, table.id)
  for (const folder of folders) await tx.folders.insert(folder)
  await tx.dashboards.insert(dashboards.filter(isLiving))
  await tx.workflows.insert(workflows.filter(isLiving))
  for (const node of nodes) if (!deletions.has(node.resourceId)) await tx.nodes.insert(node)
  await requireRoomForFlows(tx, baseId)
}

/** Makes a table with its fields, those in its trash among them, and the places of the links that were made in it. */
export async function makeTable(
  { tx }: Pick<TableContext, 'tx'>,
  table: Table,
  fields: readonly Field[],
  deletions: PlannedSettings['deletions'],
): Promise<void> {
  const received = fields.map((field) => (deletions.has(field.id) ? field : asReceived(field)))
  await tx.tables.insert(table, received)
  for (const field of fields) {
    const end = linkCapabilityOf(field)?.endOf(field.options)
    if (end?.isOwner) await tx.links.create(end)
  }
  const byDeletion = Map.groupBy(fields, ({ id }) => deletions.get(id))
  for (const [deletion, deleted] of byDeletion) {
    if (deletion) await tx.fields.markDeleted(table, deleted, deletion)
  }
  await tx.giveWay()
}

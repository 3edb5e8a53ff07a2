import { linkAbilityOf } from '../fields/link-of.ts'
import { renewTargets } from '../fields/operations/make-links.ts'
import { SchemaGraph } from '../schemas/schema-graph.ts'
import type { TableContext } from '../tables/table-context.ts'
import { requireRoomForViews } from '../views/change-view.ts'
import { requireRoomForFlows } from '../workflows/change-workflow.ts'
import type { PlannedSettings } from './plan-settings.ts'
import { asReceived } from './require-links.ts'

/**
 * Makes the tables of an archive as they were planned, with fields, views and nodes, in a base that nobody sees yet. Throws
 * validation_error where a table would keep more than one may.
 */
export async function makeSettings(
  context: TableContext,
  baseId: string,
  { tables, fields, views, folders, dashboards, workflows, nodes }: PlannedSettings,
): Promise<void> {
  const { tx } = context
  tx.becomeLong()
  const byTable = Map.groupBy(fields.values(), ({ tableId }) => tableId)
  const graph = new SchemaGraph(tx, 'update')
  for (const table of tables.values()) {
    await tx.tables.insert(table, (byTable.get(table.id) ?? []).map(asReceived))
    await tx.giveWay()
  }
  for (const field of fields.values()) {
    const end = linkAbilityOf(field)?.endOf(field.options)
    if (end?.isMaker) await tx.links.create(end)
  }
  for (const table of tables.values()) await graph.put(table)
  for (const table of tables.values()) {
    await renewTargets(context, graph, table.id, byTable.get(table.id) ?? [])
  }
  await tx.views.insert([...views.values()].map(({ view }) => view))
  for (const table of tables.values()) await requireRoomForViews(context, table.id)
  for (const folder of folders) await tx.folders.insert(folder)
  await tx.dashboards.insert(dashboards)
  await tx.workflows.insert(workflows)
  for (const node of nodes) await tx.nodes.insert(node)
  await requireRoomForFlows(tx, baseId)
}

import type { Dashboard } from '../../dashboards/dashboard.ts'
import { assert } from '../../errors.ts'
import type { Field } from '../../fields/field.ts'
import type { Table } from '../../tables/table.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { View } from '../../views/view.ts'
import { flowOf, type Workflow } from '../../workflows/workflow.ts'
import type { Archived } from '../format/archive-line.ts'
import type { ArchiveWriter } from '../format/archive-writer.ts'
import type { WholeEntry } from '../format/archived-trash.ts'
import { saidResultOf } from '../format/said-result.ts'
import { type ArchivedTables, isLeadingOut, toArchivedField } from './archived-fields.ts'
import type { TableToWrite } from './read-table.ts'
import type { SettingsToWrite } from './settings-to-write.ts'

/** What was deleted of a base, then folders, tables, dashboards and workflows, in the order of their nodes. */
export function linesOfNodes(
  writer: ArchiveWriter,
  { base, nodes, tables, dashboards, workflows, entriesByPlace }: SettingsToWrite,
): string {
  const folders = new Map(nodes.map((node) => [node.id, node.resourceId]))
  const tablesById = new Map(tables.map(({ table }) => [table.id, table]))
  const isThere = new Set(nodes.map(({ resourceId }) => resourceId))
  let text = linesOfEntries(writer, entriesByPlace.get(base.id) ?? [], isThere)
  for (const { id: node, resourceType, resourceId: id, parentId, name, deletion } of nodes) {
    const folder = parentId === null ? null : (folders.get(parentId) ?? null)
    const place = { node, folder, ...inTrash(deletion) }
    if (resourceType === 'folder') text += writer.said('folder', { id, name, node, folder })
    else if (resourceType === 'table') {
      text += writer.said('table', toArchivedTable(ofNode(tablesById, id), place))
    } else if (resourceType === 'dashboard') {
      text += writer.said('dashboard', toArchivedDashboard(ofNode(dashboards, id), place))
    } else text += writer.said('workflow', toArchivedWorkflow(ofNode(workflows, id), place))
  }
  return text
}

/** What was deleted of a table but its records, then its fields and views, in their order. */
export function linesOfTable(
  writer: ArchiveWriter,
  { table, deletion, schema, deletions, views }: TableToWrite,
  {
    entriesByPlace,
    left,
    tables,
    includeData,
    includeTrash,
  }: Pick<SettingsToWrite, 'entriesByPlace' | 'left'> & {
    readonly tables: ArchivedTables
    readonly includeData: boolean
    readonly includeTrash: boolean
  },
): string {
  const fields = schema.fields.map(({ field }) => field).filter(({ id }) => !left.has(id))
  const entries = entriesByPlace.get(table.id) ?? []
  const known = new Set([...fields.map(({ id }) => id), ...views.map(({ view }) => view.id)])
  // What other fields give is found out anew; what it was last, where something is missing, isn't.
  const isUntold = ({ id, hasError }: Field) =>
    includeTrash && (hasError || deletion !== undefined || deletions.has(id))
  const toLine = (field: Field) => {
    const said = toArchivedField(field, tables)
    const result = isUntold(field) && !isLeadingOut(field, tables) ? saidResultOf(field) : {}
    return writer.said('field', { ...said, ...result, ...inTrash(deletions.get(field.id)) })
  }
  const lines = [
    linesOfEntries(writer, entries, known),
    ...fields.map(toLine),
    ...views.map(({ view, deletion }) =>
      writer.said('view', { ...toArchivedView(view, includeData), ...inTrash(deletion) }),
    ),
  ]
  return lines.join('')
}

/** The entries that name something which is there, in the order of their ids. */
function linesOfEntries(
  writer: ArchiveWriter,
  entries: readonly TrashEntry[],
  isThere: ReadonlySet<string>,
): string {
  return entries
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((entry) => {
      const ids = entry.resourceIds.filter((id) => isThere.has(id))
      return ids.length > 0 ? writer.said('trash', toArchivedEntry(entry, ids)) : []
    })
    .join('')
}

/** An entry as an archive tells it, with those of the things that are there. */
export function toArchivedEntry(
  { id, placeId, resourceType, deletedTime, deletedBy }: TrashEntry,
  ids: readonly string[],
): WholeEntry {
  const type = resourceType as WholeEntry['type']
  const isInTable = type === 'field' || type === 'view' || type === 'record'
  return {
    ...{ id, type, ids: [...ids], deletedTime, deletedBy },
    ...(isInTable && { table: placeId }),
  }
}

function inTrash(deletion: string | undefined) {
  return deletion === undefined ? {} : { deletion }
}

function ofNode<Resource>(resources: ReadonlyMap<string, Resource>, id: string): Resource {
  const found = resources.get(id)
  assert(found, `${id}, which a node stands for, is there`)
  return found
}

/** Where something stands in the tree, and what deleted it. */
type PlaceInTree = Pick<Archived<'dashboard'>, 'node' | 'folder' | 'deletion'>

function toArchivedDashboard(dashboard: Dashboard, place: PlaceInTree): Archived<'dashboard'> {
  const { id, name, createdBy, createdTime } = dashboard
  return { id, name, ...place, createdBy, createdTime }
}

function toArchivedWorkflow(workflow: Workflow, place: PlaceInTree): Archived<'workflow'> {
  const { id, name, description, createdBy, createdTime } = workflow
  const nodes = flowOf(workflow).nodes.map(
    ({ id, category, type, name, description, config, parentNodeId }) => ({
      ...{ id, category, type, name, description, config, parentNodeId },
    }),
  )
  return { id, name, ...place, description, createdBy, createdTime, nodes }
}

function toArchivedTable(table: Table, place: PlaceInTree): Archived<'table'> {
  const { id, name, dbTableName, description, icon, createdBy, createdTime } = table
  const { lastModifiedTime, searchIndex } = table
  const made = { createdBy, createdTime, lastModifiedTime }
  const chosen = searchIndex === null ? {} : { searchIndex }
  return { id, name, ...place, dbTableName, description, icon, ...chosen, ...made }
}

function toArchivedView(view: View, includeData: boolean): Archived<'view'> {
  const { id, tableId, name, description, filter, sort, group, columnMeta } = view
  // Plugins stay behind: a grid shows what one of them showed.
  const isOfPlugin = view.type === 'plugin'
  const type = isOfPlugin ? 'grid' : view.type
  const options = isOfPlugin ? {} : view.options
  const { isLocked, createdBy, createdTime, lastModifiedBy, lastModifiedTime } = view
  // What was kept in the order of a sort is sorted by that where the records don't come along.
  const thawed = sort && { sortObjs: [...sort.sortObjs] }
  const kept = thawed && sort.manualSort !== undefined && includeData
  const { manualSort } = sort ?? {}
  const settings = { options, filter, sort: kept ? { ...thawed, manualSort } : thawed }
  return {
    id,
    table: tableId,
    name,
    type,
    description,
    ...settings,
    group: group && [...group],
    columnMeta,
    isLocked,
    createdBy,
    createdTime,
    lastModifiedBy,
    lastModifiedTime,
  }
}

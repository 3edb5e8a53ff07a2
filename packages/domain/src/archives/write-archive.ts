import type { Dashboard } from '../dashboards/dashboard.ts'
import { assert, invalidAt } from '../errors.ts'
import { requireConverted } from '../fields/operations/require-converted.ts'
import { limits } from '../limits.ts'
import type { Table } from '../tables/table.ts'
import type { DescribedNode } from '../tree/tree-node.ts'
import type { View } from '../views/view.ts'
import { flowOf, type Workflow } from '../workflows/workflow.ts'
import {
  type Archived,
  archiveVersion,
  archiveVersionWithoutTrash,
  type headerSchema,
} from './archive-line.ts'
import {
  type ArchiveSource,
  changedMeanwhile,
  isAsWritten,
  type Reading,
  type WrittenTable,
} from './archive-source.ts'
import { weighLine } from './archive-weight.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { type ArchivedTables, toArchivedField } from './archived-fields.ts'
import { FilesOfArchive } from './files-of-archive.ts'
import { linesOfHistory } from './write-history.ts'
import { linesOfLinks, linesOfOrder, linesOfRecords } from './write-records.ts'

/**
 * The text of an archive, in parts. Each is read on a snapshot of its own, so that a slow reader holds nothing up. Fails
 * with `conflict` where tables or fields are changed meanwhile, and with `validation_error` where the settings of the base
 * are more than an archive holds.
 */
export async function* writeArchive(source: ArchiveSource): AsyncGenerator<string> {
  const { read, includeData, includeHistory, includeTrash } = source
  const writer = new ArchiveWriter(source.secrets.digester())
  const { base, nodes, resources } = await read(async (tx, base) => ({
    base,
    nodes: await tx.nodes.list(base.id),
    resources: {
      tables: byId(await tx.tables.listOf(base.id)),
      dashboards: byId(await tx.dashboards.listOf(base.id)),
      workflows: byId(await tx.workflows.listOf(base.id)),
    },
  }))
  const { id, name, icon } = base
  const version = includeTrash ? archiveVersion : archiveVersionWithoutTrash
  const header = { gateleg: 'base', version, id, name, icon } as const
  yield writer.line(header satisfies typeof headerSchema._output)
  const places = linesOfNodes(writer, nodes, resources)
  // Readers weigh them too.
  let weight = weightOf(places)
  if (weight > limits.archiveSettingsWeight) throw tooManySettings()
  yield places
  const tableIds = nodes.flatMap(({ resourceType, resourceId }) =>
    resourceType === 'table' ? resourceId : [],
  )
  const tables: ArchivedTables = new Set(tableIds)
  const written: WrittenTable[] = []
  for (const id of tableIds) {
    const part = await linesOfTable(source, writer, id, tables)
    weight += weightOf(part.text)
    if (weight > limits.archiveSettingsWeight) throw tooManySettings()
    written.push(part)
    yield part.text
  }
  if (includeData) {
    const files = new FilesOfArchive(source, writer)
    for (const table of written) yield* linesOfRecords(source, writer, { table, tables, files })
    yield* linesOfLinks(source, writer, written, tables)
    for (const table of written) yield* linesOfOrder(source, writer, table)
    if (includeHistory) {
      for (const table of written) yield* linesOfHistory(source, writer, { table, tables })
    }
  }
  await requireUnchanged(read, written)
  yield writer.end()
}

/** What nodes of a base stand for beside folders, by id. */
interface Resources {
  readonly tables: ReadonlyMap<string, Table>
  readonly dashboards: ReadonlyMap<string, Dashboard>
  readonly workflows: ReadonlyMap<string, Workflow>
}

function byId<T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.id, one]))
}

/** Folders, tables, dashboards and workflows, in the order of their nodes. */
function linesOfNodes(
  writer: ArchiveWriter,
  nodes: readonly DescribedNode[],
  { tables, dashboards, workflows }: Resources,
): string {
  const folders = new Map(nodes.map((node) => [node.id, node.resourceId]))
  let text = ''
  for (const { id: node, resourceType, resourceId: id, parentId, name } of nodes) {
    const folder = parentId === null ? null : (folders.get(parentId) ?? null)
    const place = { node, folder }
    if (resourceType === 'folder') text += writer.said('folder', { id, name, ...place })
    else if (resourceType === 'table') {
      text += writer.said('table', toArchivedTable(ofNode(tables, id), place))
    } else if (resourceType === 'dashboard') {
      text += writer.said('dashboard', toArchivedDashboard(ofNode(dashboards, id), place))
    } else text += writer.said('workflow', toArchivedWorkflow(ofNode(workflows, id), place))
  }
  return text
}

function ofNode<Resource>(resources: ReadonlyMap<string, Resource>, id: string): Resource {
  const found = resources.get(id)
  assert(found, `${id}, which a living node stands for, is there`)
  return found
}

/** Where something stands in the tree. */
type PlaceInTree = Pick<Archived<'dashboard'>, 'node' | 'folder'>

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
  const { lastModifiedTime } = table
  const made = { createdBy, createdTime, lastModifiedTime }
  return { id, name, ...place, dbTableName, description, icon, ...made }
}

async function linesOfTable(
  { read, includeData }: ArchiveSource,
  writer: ArchiveWriter,
  tableId: string,
  tables: ArchivedTables,
): Promise<WrittenTable & { readonly text: string }> {
  const { table, schema, views } = await read(async (tx) => {
    const [table] = await tx.tables.findAll([tableId], 'none')
    if (!table) throw changedMeanwhile()
    const schema = await tx.fields.schemaOf(table)
    return { table, schema, views: await tx.views.listOf(tableId) }
  })
  const fields = schema.fields.map(({ field }) => field)
  if (includeData) requireConverted(fields, 'export the base')
  const lines = [
    ...fields.map((field) => writer.said('field', toArchivedField(field, tables))),
    ...views.map((view) => writer.said('view', toArchivedView(view, includeData))),
  ]
  const ordered = views.filter(({ rowOrder }) => rowOrder !== null)
  return { table, schema, ordered, sameTags: new Set(), text: lines.join('') }
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

/** Fields must be at the end what they were at the beginning: records were read by them. */
async function requireUnchanged(read: Reading, written: readonly WrittenTable[]): Promise<void> {
  await read(async (tx, base) => {
    const now = new Map((await tx.tables.listOf(base.id)).map((table) => [table.id, table]))
    if (now.size !== written.length) throw changedMeanwhile()
    for (const one of written) {
      if (!(await isAsWritten(tx, one, now.get(one.table.id)))) throw changedMeanwhile()
    }
  })
}

function weightOf(lines: string): number {
  let weight = 0
  for (const line of lines.split('\n')) {
    const ofLine = weighLine(line)
    if (typeof ofLine === 'string') throw tooManySettings()
    weight += ofLine
  }
  return weight
}

function tooManySettings() {
  const most = limits.archiveSettingsWeight
  const message = `the settings of a base in an archive take ${most} bytes of memory at most`
  return invalidAt([], message)
}

import type { Dashboard } from '../dashboards/dashboard.ts'
import { invalidAt } from '../errors.ts'
import type { Field } from '../fields/field.ts'
import { linkAbilityOf } from '../fields/link-of.ts'
import { renewTargets } from '../fields/operations/make-links.ts'
import { parseInput } from '../parse-input.ts'
import { SchemaGraph } from '../schemas/schema-graph.ts'
import { copyFields, renameIds } from '../tables/operations/copy-fields.ts'
import { limitedToCopies } from '../tables/operations/copy-filters.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'
import { requireRoomForViews } from '../views/change-view.ts'
import { storedColumnsOf } from '../views/column-meta.ts'
import type { View } from '../views/view.ts'
import { storedOptionsOf } from '../views/view-options.ts'
import { requireRoomForFlows } from '../workflows/change-workflow.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { derived, toFields } from './archive-fields.ts'
import type { Archived } from './archive-line.ts'
import type { ArchiveSettings } from './archive-settings.ts'
import { toWorkflow } from './archived-workflow.ts'
import type { KnownPeople } from './known-people.ts'

/** What the things of an archive are called in the base that is made of it, by the ids that they have in the archive. */
export interface MadeSettings {
  readonly tables: ReadonlyMap<string, Table>
  readonly fields: ReadonlyMap<string, Field>
  readonly views: ReadonlyMap<string, MadeView>
}

/** A view that was made, and whether its rows are to stay in an order that is still to come. */
export interface MadeView {
  readonly view: View
  readonly sort: View['sort']
}

/**
 * Makes the tables of an archive, with fields, views and nodes, in a base that nobody sees yet. Throws validation_error for
 * what no caller could have made.
 */
export async function makeSettings(
  context: TableContext,
  baseId: string,
  settings: ArchiveSettings,
  people: KnownPeople,
): Promise<MadeSettings> {
  const { tx, ids } = context
  tx.becomeLong()
  const tables = new Map(
    settings.tables.map((one) => [one.id, toTable(context, one, baseId, people)] as const),
  )
  const { fields, idByOriginal } = await makeFields(context, settings, tables, people)
  const byTable = Map.groupBy(fields.values(), ({ tableId }) => tableId)
  const graph = new SchemaGraph(tx, 'update')
  for (const table of tables.values()) {
    await tx.tables.insert(table, byTable.get(table.id) ?? [])
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
  const views = new Map<string, MadeView>()
  const viewIds = idByOriginal.views
  const counts = new Map<string, number>()
  for (const one of settings.views) {
    const order = counts.get(one.table) ?? 0
    counts.set(one.table, order + 1)
    const renamed = renameIds(one, idByOriginal.fields)
    const place = { id: viewIds.get(one.id) ?? '', order, tableId: tables.get(one.table)?.id ?? '' }
    const view = { ...toView(renamed, people), ...place }
    views.set(one.id, { view, sort: one.sort && renamed.sort })
  }
  await tx.views.insert([...views.values()].map(({ view }) => view))
  for (const table of tables.values()) await requireRoomForViews(context, table.id)
  const named = [...tables].map(([id, table]) => [id, table.id] as const)
  await makeNodes(context, baseId, settings, {
    tables,
    people,
    nodeId: () => ids.next('node'),
    idByOriginal: new Map([...named, ...idByOriginal.fields, ...viewIds]),
  })
  await requireRoomForFlows(tx, baseId)
  return { tables, fields, views }
}

function toTable(
  { ids }: TableContext,
  { id: _, folder: _folder, createdBy, ...said }: Archived<'table'>,
  baseId: string,
  people: KnownPeople,
): Table {
  const made = {
    id: ids.next('table'),
    baseId,
    version: 1,
    schemaTag: ids.revision(),
    searchIndex: null,
  }
  return { ...said, ...made, createdBy: people.of(createdBy) }
}

/** The fields under new ids, each as it follows from the others. */
async function makeFields(
  { tx, ids }: TableContext,
  settings: ArchiveSettings,
  tables: ReadonlyMap<string, Table>,
  people: KnownPeople,
) {
  const viewIds = new Map(settings.views.map(({ id }) => [id, ids.next('view')]))
  const taken = await tx.fields.takenColumnNames('')
  const tableIds = new Set(tables.keys())
  const said = toFields(settings.fields, { ids, taken, tableIds, viewIds: new Set(viewIds.keys()) })
  const copies = new Map(
    [...tables].map(([id, copy]) => [id, { original: { ...copy, id }, copy }] as const),
  )
  const copied = copyFields(said, copies, () => ids.next('field'))
  const names = {
    tableIds: new Set([...tables.values()].map(({ id }) => id)),
    viewIds,
    recordId: (id: string) => id,
  }
  const made = limitedToCopies(copied.fields, names).map((field, index): Field => {
    const { createdBy = '', createdTime = '' } = said[index] ?? {}
    return { ...field, createdBy: people.of(createdBy), createdTime }
  })
  const byId = new Map([...tables.values()].map((table) => [table.id, table]))
  const fields = await derived(made, byId, () => tx.giveWay())
  return {
    fields: new Map(said.map(({ id }, index) => [id, fields[index] as Field])),
    idByOriginal: { fields: copied.idByOriginal, views: viewIds },
  }
}

/** A view of the archive as it is kept; its rows have no order yet. */
function toView(
  said: Archived<'view'>,
  people: KnownPeople,
): Omit<View, 'id' | 'tableId' | 'order'> {
  const { table: _, id, options, columnMeta, createdBy, lastModifiedBy, sort, ...rest } = said
  const parsed = {
    options: parseInput(storedOptionsOf(said.type), options),
    columnMeta: parseInput(storedColumnsOf(said.type), columnMeta),
  }
  for (const [member, result] of Object.entries(parsed)) {
    if ('data' in result) continue
    const [first] = result.issues
    const place = [member, ...(first?.path ?? [])].join('.')
    throw invalidAt(['content'], `the view "${said.name}" (${id}): ${place} ${first?.message}`)
  }
  return {
    ...rest,
    options,
    columnMeta: columnMeta as View['columnMeta'],
    sort: sort && { sortObjs: sort.sortObjs },
    rowOrder: null,
    createdBy: people.of(createdBy),
    lastModifiedBy: lastModifiedBy === null ? null : people.of(lastModifiedBy),
    version: 1,
  }
}

/** The folders, dashboards and workflows, and where all of them stand with the tables. */
async function makeNodes(
  context: TableContext,
  baseId: string,
  { nodes }: ArchiveSettings,
  {
    tables,
    people,
    nodeId,
    idByOriginal,
  }: {
    readonly tables: ReadonlyMap<string, Table>
    readonly people: KnownPeople
    readonly nodeId: () => string
    readonly idByOriginal: ReadonlyMap<string, string>
  },
): Promise<void> {
  const { tx, ids } = context
  const folders = new Map(
    nodes.flatMap(({ kind, said }) =>
      kind === 'folder' ? [[said.id, { id: ids.next('folder'), nodeId: nodeId() }] as const] : [],
    ),
  )
  const dashboards: Dashboard[] = []
  const workflows: Workflow[] = []
  for (const [index, { kind, said }] of nodes.entries()) {
    const { name } = said
    const folder = folders.get(said.id)
    let resourceId = tables.get(said.id)?.id ?? folder?.id ?? ''
    if (folder) await tx.folders.insert({ id: folder.id, baseId, name })
    else if (kind === 'dashboard') {
      resourceId = ids.next(kind)
      const { createdBy, createdTime } = said
      const made = { layout: null, createdBy: people.of(createdBy), createdTime, version: 1 }
      dashboards.push({ id: resourceId, baseId, name, ...made })
    } else if (kind === 'workflow') {
      const workflow = toWorkflow(context, said, { baseId, people, idByOriginal })
      resourceId = workflow.id
      workflows.push(workflow)
    }
    await tx.nodes.insert({
      id: folder?.nodeId ?? nodeId(),
      baseId,
      parentId: folders.get(said.folder ?? '')?.nodeId ?? null,
      resourceType: kind,
      resourceId,
      order: index + 1,
      version: 1,
    })
  }
  await tx.dashboards.insert(dashboards)
  await tx.workflows.insert(workflows)
}

import type { Dashboard } from '../../dashboards/dashboard.ts'
import { invalidAt } from '../../errors.ts'
import type { Field } from '../../fields/field.ts'
import { typeOf } from '../../fields/field-values.ts'
import { idsOfCopies } from '../../ids/ids-of-copies.ts'
import { parseInput } from '../../input/parse-input.ts'
import { withLastKnown } from '../../tables/operations/copying/copied-lookups.ts'
import {
  copyFields,
  renameIds,
  startingCopies,
} from '../../tables/operations/copying/copy-fields.ts'
import { limitedToCopies } from '../../tables/operations/copying/copy-filters.ts'
import type { Table } from '../../tables/table.ts'
import type { Deletion } from '../../trash/deletion.ts'
import type { Folder } from '../../tree/folder-repository.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { compareCodePoints } from '../../values/text.ts'
import { storedColumnsOf } from '../../views/column-meta.ts'
import type { View } from '../../views/view.ts'
import { storedOptionsOf } from '../../views/view-options.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import type { Archived } from '../format/archive-line.ts'
import type { ArchiveSettings } from '../format/archive-settings.ts'
import { derived, toFields } from './archive-fields.ts'
import { toWorkflow } from './archived-workflow.ts'
import type { KnownPeople } from './known-people.ts'
import type { MadeSettings, MadeView } from './made-settings.ts'
import { deletedHere, type PlannedEntry, planDeletions, planEntries } from './plan-trash.ts'
import type { ReceivingContext } from './receiving-context.ts'

/** All of a base that an archive tells of before its records, as it is to be. */
export interface PlannedSettings extends MadeSettings {
  /** What lies in the trash of it, and of its tables. */
  readonly entries: readonly PlannedEntry[]
  readonly folders: readonly Folder[]
  readonly dashboards: readonly Dashboard[]
  readonly workflows: readonly Workflow[]
  readonly nodes: readonly TreeNode[]
}

/** What is known of the base before its fields and nodes are computed; by the ids of the archive. */
interface Known {
  readonly tables: ReadonlyMap<string, Table>
  readonly people: KnownPeople
  readonly workflowIds: ReadonlyMap<string, string>
  /** The id that the base has in the archive; empty where that doesn't say it. */
  readonly archivedBaseId: string
  /** What deleted the things that lie in the trash, by the id that it has in the archive. */
  readonly deletions: ReadonlyMap<string, Deletion>
}

/**
 * Computes what is to be made of the settings of an archive, under ids of its own. Nothing is written, so that nobody waits
 * for it however long it takes. Throws validation_error for what no caller could have made.
 */
export async function planSettings(
  context: ReceivingContext,
  settings: ArchiveSettings,
  { people, archivedBaseId }: Pick<Known, 'people' | 'archivedBaseId'>,
): Promise<PlannedSettings> {
  const tables = new Map(
    settings.tables.map((one) => [one.id, toTable(context, one, people)] as const),
  )
  // Buttons name workflows, and these name fields.
  const workflowIds = new Map(
    settings.nodes.flatMap(({ kind, said }) =>
      kind === 'workflow' ? [[said.id, context.idHere('workflow', said.id)] as const] : [],
    ),
  )
  const deletions = planDeletions(context, settings, people)
  const known = { tables, people, workflowIds, archivedBaseId, deletions }
  const { fields, idByOriginal } = await planFields(context, settings, known)
  const views = new Map<string, MadeView>()
  const counts = new Map<string, number>()
  for (const one of settings.views) {
    const order = counts.get(one.table) ?? 0
    counts.set(one.table, order + 1)
    const renamed = renameIds(one, idByOriginal.fields)
    const id = idByOriginal.views.get(one.id) ?? ''
    const place = { id, order, tableId: tables.get(one.table)?.id ?? '' }
    const view = { ...toView(renamed, people), ...place }
    views.set(one.id, { view, sort: one.sort && renamed.sort })
    await context.store.giveWay()
  }
  const named = [...tables].map(([id, table]) => [id, table.id] as const)
  const ids = new Map([...named, ...idByOriginal.fields, ...idByOriginal.views])
  const { idsHere, ...inTree } = await planNodes(context, settings, { ...known, idByOriginal: ids })
  const all = new Map([...ids, ...idsHere])
  const trashed = deletedHere(settings, deletions, all)
  const entries = planEntries(context, settings, deletions, all)
  return { tables, fields, views, ...inTree, deletions: trashed, entries }
}

function toTable(
  { ids, idHere, baseId }: ReceivingContext,
  { id, folder: _, node: __, deletion: ___, createdBy, searchIndex, ...said }: Archived<'table'>,
  people: KnownPeople,
): Table {
  const made = {
    id: idHere('table', id),
    baseId,
    rebuiltName: null,
    version: 1,
    schemaTag: ids.revision(),
    searchIndex: searchIndex ?? null,
  }
  return { ...said, ...made, createdBy: people.of(createdBy) }
}

/** The fields under new ids, each as it follows from the others. */
async function planFields(
  { store, ids, idHere, baseId }: ReceivingContext,
  settings: ArchiveSettings,
  { tables, people, workflowIds, archivedBaseId, deletions }: Known,
) {
  const viewIds = new Map(settings.views.map(({ id }) => [id, idHere('view', id)]))
  const taken = await store.read((tx) => tx.fields.takenColumnNames(''))
  const giveWay = () => store.giveWay()
  const tableIds = new Set(tables.keys())
  const entryIds = new Map(
    [...settings.tables, ...settings.fields].flatMap(({ id, deletion }) =>
      deletion === undefined ? [] : [[id, deletion] as const],
    ),
  )
  const terms = { ids, taken, tableIds, viewIds: new Set(viewIds.keys()), entryIds }
  const said = await toFields(settings.fields, terms, giveWay)
  const copies = new Map(
    [...tables].map(([id, copy]) => [id, { original: { ...copy, id }, copy }] as const),
  )
  const copied = await copyFields(said, copies, (id) => idHere('field', id), giveWay)
  const names = {
    tableIds: new Set([...tables.values()].map(({ id }) => id)),
    viewIds,
    recordId: (id: string) => id,
  }
  const tablesHere = [...tables].map(([id, table]) => [id, table.id] as const)
  const idsHere = new Map([[archivedBaseId, baseId], ...tablesHere, ...viewIds])
  const made = limitedToCopies(copied.fields, names).map((field, index): Field => {
    const { createdBy = '', createdTime = '' } = said[index] ?? {}
    const starting = startingCopies(withLastKnown(field, idsHere), workflowIds)
    return { ...starting, createdBy: people.of(createdBy), createdTime }
  })
  const byId = new Map([...tables.values()].map((table) => [table.id, table]))
  const tablesAndFields = new Map([...tablesHere, ...copied.idByOriginal])
  const deletedIds = deletedHere(settings, deletions, tablesAndFields)
  const fields = (await derived(made, byId, { deletedIds, giveWay })).map((field) =>
    deletedIds.has(field.tableId) ? asPending(field) : field,
  )
  return {
    fields: new Map(said.map(({ id }, index) => [id, fields[index] as Field])),
    idByOriginal: { fields: copied.idByOriginal, views: viewIds },
  }
}

/** A field of a table in the trash: what follows from others is computed when that comes back. */
function asPending(field: Field): Field {
  const isComputed = field.isLookup || typeOf(field).computation !== undefined
  return isComputed && !field.hasError ? { ...field, isPending: true } : field
}

/** A view of the archive as it is kept; its rows have no order yet. */
function toView(
  said: Archived<'view'>,
  people: KnownPeople,
): Omit<View, 'id' | 'tableId' | 'order'> {
  const { id, options, columnMeta, createdBy, lastModifiedBy, sort, ...more } = said
  const { table: _, deletion: __, ...rest } = more
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
    sort: sort?.manualSort ? { sortObjs: sort.sortObjs } : sort,
    rowOrder: null,
    createdBy: people.of(createdBy),
    lastModifiedBy: lastModifiedBy === null ? null : people.of(lastModifiedBy),
    version: 1,
  }
}

/** The folders, dashboards and workflows, and where all of them stand with the tables. */
async function planNodes(
  context: ReceivingContext,
  { nodes }: ArchiveSettings,
  known: Known & { readonly idByOriginal: ReadonlyMap<string, string> },
) {
  const { baseId, idHere, store } = context
  const { tables, people, workflowIds } = known
  const places = new Map(
    nodes.flatMap(({ kind, said }) =>
      kind === 'folder'
        ? [[said.id, { id: idHere('folder', said.id), nodeId: idHere('node', said.node) }]]
        : [],
    ),
  )
  const archivedDashboards = nodes
    .flatMap(({ kind, said }) => (kind === 'dashboard' ? [said.id] : []))
    .toSorted(compareCodePoints)
  const dashboardIds = idsOfCopies(
    archivedDashboards,
    archivedDashboards.map((id) => idHere('dashboard', id)),
  )
  const folders: Folder[] = []
  const dashboards: Dashboard[] = []
  const workflows: Workflow[] = []
  const planned: TreeNode[] = []
  const idsHere = new Map<string, string>()
  for (const [index, { kind, said }] of nodes.entries()) {
    const { name } = said
    const place = places.get(said.id)
    let resourceId = tables.get(said.id)?.id ?? place?.id ?? ''
    if (place) folders.push({ id: place.id, baseId, name })
    else if (kind === 'dashboard') {
      resourceId = dashboardIds.get(said.id) ?? ''
      const { createdBy, createdTime } = said
      const made = { layout: null, createdBy: people.of(createdBy), createdTime, version: 1 }
      dashboards.push({ id: resourceId, baseId, name, ...made })
    } else if (kind === 'workflow') {
      resourceId = workflowIds.get(said.id) ?? ''
      workflows.push(toWorkflow(context, said, { id: resourceId, baseId, ...known }))
    }
    idsHere.set(said.id, resourceId)
    planned.push({
      id: place?.nodeId ?? idHere('node', said.node),
      baseId,
      parentId: places.get(said.folder ?? '')?.nodeId ?? null,
      resourceType: kind,
      resourceId,
      order: index + 1,
      version: 1,
    })
    await store.giveWay()
  }
  return { folders, dashboards, workflows, nodes: planned, idsHere }
}

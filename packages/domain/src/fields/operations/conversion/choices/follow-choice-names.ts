import { renameInCharts } from '../../../../charts/rename-in-charts.ts'
import { invalidAt } from '../../../../errors.ts'
import { changeEach, withValues } from '../../../../schemas/filter-values.ts'
import { type FieldPlace, readersOf } from '../../../../schemas/readers-of.ts'
import type { LoadedTable, SchemaGraph } from '../../../../schemas/schema-graph.ts'
import type { TableContext } from '../../../../tables/table-context.ts'
import { changeView } from '../../../../views/change-view.ts'
import { renameInWorkflows } from '../../../../workflows/rename-in-workflows.ts'
import type { Filter } from '../../../filter.ts'
import { toKeptFilter } from '../../../kept-filter.ts'
import { requireRoomForLonger } from '../../definition/options-room.ts'
import { followInTrash, LookupsInTrash, type Rename, renamedField } from './follow-in-trash.ts'

/**
 * Has filters follow choices of a select that got other names, by their old ones: those of views, locked ones and such in the
 * trash among them, of fields that read linked records, of charts, and of the drafts of workflows; about the select, and about lookups
 * that show its choices. So do the values that these drafts write into it. Throws validation_error where a table has no room for longer ones.
 */
export async function followChoiceNames(
  context: TableContext,
  graph: SchemaGraph,
  select: FieldPlace,
  newNames: ReadonlyMap<string, string>,
): Promise<void> {
  if (newNames.size === 0) return
  const fieldIdsByBase = new Map<string, Set<string>>()
  const renames = new Map<string, Rename>()
  for (const [tableId, fieldIds] of await fieldsShowing(context, graph, select)) {
    const inValue = renaming(fieldIds, newNames)
    const rename: Rename = (filter) => requireKept(filter, withValues(filter, inValue))
    renames.set(tableId, rename)
    const place = await graph.find(tableId)
    if (place) await renameAround(context, graph, place, rename)
    const table = place?.table ?? (await context.tx.tables.findOrTrash(tableId, 'none'))
    if (!table) continue
    const ofBase = fieldIdsByBase.get(table.baseId) ?? new Set()
    fieldIdsByBase.set(table.baseId, ofBase.union(fieldIds))
  }
  await followInTrash(context, graph, renames)
  for (const [baseId, fieldIds] of fieldIdsByBase) {
    const inValue = renaming(fieldIds, newNames)
    const inFilter: Rename = (filter) => withValues(filter, inValue)
    await renameInCharts(context, baseId, inFilter)
    await renameInWorkflows(context, baseId, { inFilter, inValue })
  }
}

/** Renames in the filters of a table's views, and in those of fields of living tables that are about it. */
async function renameAround(
  context: TableContext,
  graph: SchemaGraph,
  { table: { id: tableId }, schema }: LoadedTable,
  rename: Rename,
): Promise<void> {
  for (const view of await context.tx.views.listOf(tableId)) {
    if (view.filter) await changeView(context, view, { filter: rename(view.filter) })
  }
  for (const { table } of await graph.load([...new Set([tableId, ...schema.inboundTableIds])])) {
    await renameInFields(context, graph, await graph.get(table.id), tableId, rename)
  }
}

/** The select and the lookups that show its choices, over whatever other lookups, by table; such in the trash, too. */
async function fieldsShowing(
  context: TableContext,
  graph: SchemaGraph,
  select: FieldPlace,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  const inTrash = new LookupsInTrash(context, graph)
  const queue = [select]
  for (const place of queue) {
    const inTable = found.get(place.tableId) ?? new Set()
    if (inTable.has(place.fieldId)) continue
    found.set(place.tableId, inTable.add(place.fieldId))
    for (const { field } of await readersOf(graph, place)) {
      const isShowing = field.isLookup && field.lookupOptions?.lookupFieldId === place.fieldId
      if (isShowing) queue.push({ tableId: field.tableId, fieldId: field.id })
    }
    queue.push(...(await inTrash.of(place)))
  }
  return found
}

/** Renames in the filters that fields of a table keep about another one, or about itself. */
async function renameInFields(
  { tx, now, userId, ids }: TableContext,
  graph: SchemaGraph,
  { table, schema }: LoadedTable,
  foreignTableId: string,
  rename: Rename,
): Promise<void> {
  const fields = schema.fields.map(({ field }) => field)
  const renames = new Map([[foreignTableId, rename]])
  const renamed = fields.map((field) => renamedField(field, renames))
  const after = renamed.filter((field, index) => field !== fields[index])
  if (after.length === 0) return
  requireRoomForLonger(fields, renamed)
  await tx.fields.updateAll(after)
  await graph.put(await tx.tables.changeSchema(table.id, ids.revision(), now))
  for (const { id } of after) {
    const payload = { tableId: table.id, fieldId: id }
    tx.emit({ name: 'field.updated', time: now, userId, payload })
  }
}

/** The filter with other names; validation_error where it is longer than before, and than a filter may be that is kept. */
function requireKept(before: Filter, after: Filter): Filter {
  const kept = toKeptFilter(after)
  if (!('refusal' in kept) || lengthOf(after) <= lengthOf(before)) return after
  const message = `make a filter too long that names them, perhaps one in the trash: it ${kept.refusal}`
  throw invalidAt(['options'], `the names of the choices ${message}`)
}

function lengthOf(filter: Filter): number {
  return JSON.stringify(filter).length
}

/** Gives values of the fields the names that their choices have today; those of others stay. */
function renaming(fieldIds: ReadonlySet<string>, newNames: ReadonlyMap<string, string>) {
  return <Value>(fieldId: string, value: Value): Value =>
    fieldIds.has(fieldId)
      ? changeEach(value, (name) => newNames.get(name as string) ?? name)
      : value
}
